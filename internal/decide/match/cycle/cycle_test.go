package cycle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/match/cycle"
	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
)

var (
	kickoff = time.Date(2026, 8, 15, 14, 0, 0, 0, time.UTC)
	rules   = cycle.Rules{Votes: debounce.Defaults(), Windows: lifecycle.Defaults()}
)

// answer is what the feed says of a match with these goals of the home team.
func answer(code string, goals int) footy.Snapshot {
	s := footy.Snapshot{Match: footy.Match{ID: 1, Kickoff: kickoff, Status: footy.Status{Code: code}}, HasEvents: true, Score: footy.ScoreOf(goals, 0),
		Teams: footy.Teams{Home: footy.Team{ID: 40, Name: "Reds"}, Away: footy.Team{ID: 42, Name: "Blues"}}}
	for i := range goals {
		s.Events = append(s.Events, footy.FeedEvent{Kind: footy.KindGoal, Type: "Goal", Detail: "Normal Goal", Team: s.Teams.Home,
			Minute: footy.Minute{Elapsed: 10 * (i + 1)}, Player: footy.Person{ID: int64(7 + i), Name: "Player " + string(rune('A'+i))}})
	}
	return s
}

func poll(n int, distrusted bool) debounce.Poll {
	return debounce.Poll{ID: "poll-" + string(rune('a'+n)), Now: kickoff.Add(time.Hour + time.Duration(n)*time.Minute), Distrusted: distrusted}
}

func TestAGoalIsVotedCertainAndTheMatchEnds(t *testing.T) {
	t.Parallel()
	f := footy.Fixture{ID: 1, Stage: footy.StageActive}
	for n := range 3 {
		require.True(t, rules.Due(f, answer("1H", 1), poll(n, false).Now))
		d := rules.Decide(&f, answer("1H", 1), poll(n, false), false)
		require.True(t, d.Changed)
		require.Empty(t, d.Move.To)
	}
	require.True(t, f.Events[0].Certain())
	require.False(t, rules.Due(f, answer("1H", 1), poll(3, false).Now), "nothing is new")
	f.Events[0].DownloadComplete = true
	d := rules.Decide(&f, answer("FT", 1), poll(4, false), false)
	require.Equal(t, footy.StageCompleted, d.Move.To)
}

func TestAnAnswerThatTakesBackTouchesNothingInAPollThatIsNotTrusted(t *testing.T) {
	t.Parallel()
	f := footy.Fixture{ID: 1, Stage: footy.StageActive}
	for n := range 3 {
		rules.Decide(&f, answer("2H", 1), poll(n, false), false)
	}
	back := answer("1H", 0)
	trust := cycle.TrustOf(f, nil, back)
	require.NotEmpty(t, trust.Regressed)
	require.Len(t, trust.Missing, 1)
	d := rules.Decide(&f, back, poll(3, true), true)
	require.True(t, d.Withheld)
	require.Equal(t, "2H", f.Match.Status.Code)
	require.Equal(t, footy.ScoreOf(1, 0), f.Score)
	require.False(t, f.Events[0].Removed)
	require.Equal(t, poll(3, true).Now, f.LastMonitor, "it was asked all the same")
	over := answer("FT", 0)
	require.Empty(t, rules.Decide(&f, over, poll(4, true), false).Move.To, "and does not end the match")
}

// TestASecondLookTakesNothingBack: it sees a few matches alone, so that nobody can tell whether its answer is an outage of the feed.
func TestASecondLookTakesNothingBack(t *testing.T) {
	t.Parallel()
	f := footy.Fixture{ID: 1, Stage: footy.StageActive}
	for n := range 3 {
		rules.Decide(&f, answer("2H", 1), poll(n, false), false)
	}
	again := poll(3, false)
	again.SecondLook = true
	require.True(t, rules.Decide(&f, answer("2H", 0), again, false).Withheld, "a goal fewer")
	require.Equal(t, footy.ScoreOf(1, 0), f.Score)
	require.Empty(t, f.Events[0].AbsentPolls)
	again.ID = "poll-e"
	require.True(t, rules.Decide(&f, answer("1H", 1), again, true).Withheld, "an earlier phase")
	require.Equal(t, "2H", f.Match.Status.Code)
	again.ID = "poll-f"
	require.False(t, rules.Decide(&f, answer("2H", 2), again, false).Withheld, "a goal more")
	require.Equal(t, footy.ScoreOf(2, 0), f.Score)
	require.Len(t, f.Events, 2)
}
