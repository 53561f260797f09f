package attribution_test

import (
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/attribution"
)

func teams() footy.Teams {
	return footy.Teams{Home: footy.Team{ID: 40, Name: "Manchester United"}, Away: footy.Team{ID: 42, Name: "1. FC Köln"}}
}

func goal(team int64, elapsed, extra int, name string) footy.FeedEvent {
	return footy.FeedEvent{Kind: footy.KindGoal, Team: footy.Team{ID: team}, Minute: footy.Minute{Elapsed: elapsed, Extra: extra}, Player: footy.Person{Name: name}}
}

func TestScoreAroundEachGoal(t *testing.T) {
	t.Parallel()
	shootout := goal(40, 120, 1, "Ann")
	shootout.Kind = footy.KindShootout
	red := goal(42, 50, 0, "Eve")
	red.Kind = footy.KindRedCard
	got := attribution.Listed(teams(), []footy.FeedEvent{goal(40, 46, 0, "Ann"), goal(42, 45, 2, "Eve"), goal(40, 45, 0, "Bea"), shootout, red})
	require.Equal(t, footy.ScoreOf(2, 1), got[0].After)
	require.Equal(t, footy.ScoreOf(1, 1), got[1].After)
	require.Equal(t, footy.ScoreOf(1, 0), got[2].After)
	require.Equal(t, footy.ScoreOf(2, 1), got[3].After, "a shoot-out kick counts for nothing")
	require.Equal(t, got[4].Before, got[4].After)
	require.Equal(t, footy.SideAway, got[1].Side)
}

func TestTwoGoalsThatNothingTellsApartHaveTheirOwnScores(t *testing.T) {
	t.Parallel()
	got := attribution.Listed(teams(), []footy.FeedEvent{goal(40, 10, 0, ""), goal(40, 10, 0, "")})
	require.Equal(t, footy.ScoreOf(1, 0), got[0].After)
	require.Equal(t, footy.ScoreOf(2, 0), got[1].After)
	f := footy.Fixture{Teams: teams(), Events: []footy.Event{{Kind: footy.KindGoal, Team: footy.Team{ID: 40}}, {Kind: footy.KindGoal, Team: footy.Team{ID: 40}}}}
	require.True(t, attribution.Recount(&f, nil, true))
	require.Equal(t, footy.ScoreOf(1, 0), f.Events[0].ScoreAfter)
	require.Equal(t, footy.ScoreOf(1, 0), f.Events[1].ScoreBefore)
}

func TestUnlistedGoals(t *testing.T) {
	t.Parallel()
	s := footy.Snapshot{Teams: teams(), Score: footy.ScoreOf(2, 0), Events: []footy.FeedEvent{goal(40, 3, 0, "Ann"), goal(42, 4, 0, "Eve")}}
	home, away := attribution.Unlisted(s)
	require.Equal(t, 1, home)
	require.Zero(t, away, "more listed than counted is no omission")
	s.Score = footy.Score{}
	home, away = attribution.Unlisted(s)
	require.Zero(t, home+away)
}

func TestScorers(t *testing.T) {
	t.Parallel()
	p := func(id int64, name string) footy.Person { return footy.Person{ID: id, Name: name} }
	require.True(t, attribution.SameScorer(p(1, "A"), p(1, "B")))
	require.False(t, attribution.SameScorer(p(1, "A"), p(2, "A")), "two numbers are two players, whatever their names")
	require.True(t, attribution.SameScorer(p(0, "Højlund"), p(7, "HOJLUND")))
	require.False(t, attribution.SameScorer(p(0, ""), p(0, "")), "unknown equals nobody")
	for _, name := range []string{"", " ", "Unknown", "unknown player", "TBD"} {
		require.False(t, attribution.Named(p(0, name)), name)
	}
	require.True(t, attribution.Named(p(0, "J. Love")))
	require.False(t, attribution.Named(p(7, "")), "a number is nothing to search for")
	require.True(t, attribution.Known(p(7, "")))
}

func event(team footy.Team, player, minute string, id string) footy.Event {
	e := footy.Event{Team: team, Player: footy.Person{Name: player}, ID: id, Minute: footy.Minute{Elapsed: 90, Extra: 2}}
	if minute == "" {
		e.Minute.Extra = 0
	}
	return e
}

func TestMint(t *testing.T) {
	t.Parallel()
	e := event(teams().Home, "R. Højlund", "+", "900_40_7_Goal_1")
	attribution.OpenRound(&e, time.Now())
	require.Equal(t, "twitter-Manchester_United-Hojlund-90+2min-900_40_7_Goal_1", e.TwitterWorkflow)
	require.Equal(t, "upload-900_40_7_Goal_1", e.UploadWorkflow)
	require.Equal(t, "download3-Manchester_United-Hojlund-900_40_7_Goal_1", attribution.DownloadID(e, 3))
	require.True(t, attribution.SearchesFor(e))
	before := attribution.DownloadID(e, 4)
	e.Player.Name, e.ID = "Bruno Fernandes Jr.", "900_40_8_Goal_1"
	require.False(t, attribution.SearchesFor(e))
	require.Equal(t, before, attribution.DownloadID(e, 4), "ids are built from what was minted")
	attribution.OpenRound(&e, time.Now())
	require.Equal(t, "twitter-Manchester_United-Fernandes-90+2min-900_40_8_Goal_1-r2", e.TwitterWorkflow)
	require.Equal(t, "upload-900_40_7_Goal_1", e.UploadWorkflow)
	require.True(t, attribution.SearchesFor(e))
}

var allowed = regexp.MustCompile(`^[A-Za-z0-9_+-]+$`)

func TestMintedIdsAreSafeForAnyName(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		e := event(footy.Team{ID: 1, Name: rapid.String().Draw(rt, "team")}, rapid.String().Draw(rt, "player"), "+", "1_1_0_Goal_1")
		for range 2 {
			attribution.OpenRound(&e, time.Now())
			for _, id := range []string{e.TwitterWorkflow, e.UploadWorkflow, attribution.DownloadID(e, 12)} {
				require.Regexp(rt, allowed, id)
			}
		}
	})
}

func TestSequencesAreAllocatedAndNeverReused(t *testing.T) {
	t.Parallel()
	f := footy.Fixture{ID: 900}
	e := footy.Event{Kind: footy.KindGoal, Team: footy.Team{ID: 40}, Player: footy.Person{ID: 7}}
	require.Equal(t, "900_40_7_Goal_1", attribution.NewID(&f, &e))
	require.Equal(t, "900_40_7_Goal_2", attribution.NewID(&f, &e))
	require.Equal(t, "900-1", attribution.NewUID(&f))
	require.Equal(t, "900-2", attribution.NewUID(&f))
	e.ID = "900_40_7_Goal_2"
	require.False(t, attribution.Rekey(&f, &e), "the same scorer keeps his name")
	e.Player.ID = 8
	require.True(t, attribution.Rekey(&f, &e))
	require.Equal(t, "900_40_8_Goal_1", e.ID)
	require.Equal(t, []string{"900_40_7_Goal_2"}, e.MatchedFrom)
	e.Player.ID = 7
	require.True(t, attribution.Rekey(&f, &e))
	require.Equal(t, "900_40_7_Goal_2", e.ID, "who comes back gets his old name")
	require.Equal(t, []string{"900_40_8_Goal_1"}, e.MatchedFrom)
}
