package secondfeed_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/match/secondfeed"
	"github.com/found-footy/found-footy/internal/footy"
)

var kickoff = time.Date(2026, 11, 21, 15, 0, 0, 0, time.UTC)

func ours(home, away string) footy.Fixture {
	return footy.Fixture{ID: 1, Match: footy.Match{ID: 1, Kickoff: kickoff}, Teams: footy.Teams{Home: footy.Team{ID: 40, Name: home}, Away: footy.Team{ID: 42, Name: away}}}
}

// theirs is a match of the second feed with a goal of its home team.
func theirs(home, away string, later time.Duration) footy.Snapshot {
	t := footy.Teams{Home: footy.Team{ID: 901, Name: home}, Away: footy.Team{ID: 902, Name: away}}
	return footy.Snapshot{Match: footy.Match{ID: 1, Kickoff: kickoff.Add(later)}, Teams: t, Score: footy.ScoreOf(1, 0), HasEvents: true,
		Events: []footy.FeedEvent{{Team: t.Home, Kind: footy.KindGoal, Minute: footy.Minute{Elapsed: 9}, Player: footy.Person{ID: 7, Name: "Ada"}}}}
}

func TestAMatchIsFoundByItsTeamsAndItsKickoff(t *testing.T) {
	t.Parallel()
	city, united := theirs("Manchester City", "Everton", 0), theirs("Manchester United", "Arsenal", 0)
	for name, c := range map[string]struct {
		f     footy.Fixture
		board []footy.Snapshot
		want  footy.SecondState
	}{
		"the same names":                   {ours("Manchester City", "Everton"), []footy.Snapshot{united, city}, footy.SecondAnswered},
		"a name with a word more":          {ours("Newcastle", "Brighton"), []footy.Snapshot{theirs("Newcastle United", "Brighton & Hove Albion", 0), city}, footy.SecondAnswered},
		"accents and forms of a club":      {ours("FC Koln", "Atletico Madrid"), []footy.Snapshot{theirs("1. FC Köln", "Atlético Madrid", time.Hour)}, footy.SecondAnswered},
		"one name is another one's":        {ours("Wolves", "Everton"), []footy.Snapshot{theirs("Wolverhampton Wanderers", "Everton", 0), city}, footy.SecondAmbiguous},
		"one name tells, at the same time": {ours("Bayern München", "Mainz"), []footy.Snapshot{theirs("Bayern Munich", "Mainz", 0), city}, footy.SecondAnswered},
		"one name tells, at another time":  {ours("Bayern München", "Mainz"), []footy.Snapshot{theirs("Bayern Munich", "Mainz", time.Hour)}, footy.SecondNoMatch},
		"another day":                      {ours("Arsenal", "Everton"), []footy.Snapshot{theirs("Arsenal", "Everton", 24*time.Hour)}, footy.SecondNoMatch},
		"two of them":                      {ours("Arsenal", "Everton"), []footy.Snapshot{theirs("Arsenal", "Everton", 0), theirs("Arsenal", "Everton", 0)}, footy.SecondAmbiguous},
		"another club of the town":         {ours("Manchester City", "Burnley"), []footy.Snapshot{united}, footy.SecondNoMatch},
		"nothing":                          {ours("Arsenal", "Everton"), nil, footy.SecondNoMatch},
		"teams without names":              {ours("", ""), []footy.Snapshot{city}, footy.SecondNoMatch},
		"names of two letters":             {ours("AZ", "PSV"), []footy.Snapshot{theirs("AZ", "PSV", 0), city}, footy.SecondAnswered},
	} {
		require.Equal(t, c.want, secondfeed.Answer("ESPN", c.f, c.board, "").State, name)
	}
}

func TestWhatIsNotThereAndWhatCannotBeReadAreTwoThings(t *testing.T) {
	t.Parallel()
	f := ours("Arsenal", "Everton")
	a := secondfeed.Answer("ESPN", f, nil, "match without its teams")
	require.Equal(t, footy.SecondAnswer{Feed: "ESPN", State: footy.SecondUnreachable, Why: "match without its teams"}, a)
	silent := theirs("Arsenal", "Everton", 0)
	silent.HasEvents = false
	a = secondfeed.Answer("ESPN", f, []footy.Snapshot{silent}, "")
	require.Equal(t, footy.SecondUnreachable, a.State)
	require.NotEmpty(t, a.Why)
}

func TestAnAnswerSpeaksOfOurTeams(t *testing.T) {
	t.Parallel()
	f := ours("Arsenal", "Everton")
	a := secondfeed.Answer("ESPN", f, []footy.Snapshot{theirs("Arsenal", "Everton", 0)}, "")
	require.Equal(t, footy.ScoreOf(1, 0), a.Score)
	require.Equal(t, f.Teams.Home, a.Events[0].Team)
	require.Equal(t, footy.Person{Name: "Ada"}, a.Events[0].Player, "its number means nothing here")
	a = secondfeed.Answer("ESPN", f, []footy.Snapshot{theirs("Everton", "Arsenal", 0)}, "")
	require.Equal(t, footy.ScoreOf(0, 1), a.Score, "on neutral ground")
	require.Equal(t, f.Teams.Away, a.Events[0].Team)
}
