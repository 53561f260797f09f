package score_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/match/score"
	"github.com/found-footy/found-footy/internal/footy"
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
	got := score.AroundEach(teams(), []footy.FeedEvent{goal(40, 46, 0, "Ann"), goal(42, 45, 2, "Eve"), goal(40, 45, 0, "Bea"), shootout, red})
	require.Equal(t, footy.ScoreOf(2, 1), got[0].After)
	require.Equal(t, footy.ScoreOf(1, 1), got[1].After)
	require.Equal(t, footy.ScoreOf(1, 0), got[2].After)
	require.Equal(t, footy.ScoreOf(2, 1), got[3].After, "a shoot-out kick counts for nothing")
	require.Equal(t, got[4].Before, got[4].After)
	require.Equal(t, footy.SideAway, got[1].Side)
}

func TestTwoGoalsThatNothingTellsApartHaveTheirOwnScores(t *testing.T) {
	t.Parallel()
	got := score.AroundEach(teams(), []footy.FeedEvent{goal(40, 10, 0, ""), goal(40, 10, 0, "")})
	require.Equal(t, footy.ScoreOf(1, 0), got[0].After)
	require.Equal(t, footy.ScoreOf(2, 0), got[1].After)
	f := footy.Fixture{Teams: teams(), Events: []footy.Event{{Kind: footy.KindGoal, Team: footy.Team{ID: 40}}, {Kind: footy.KindGoal, Team: footy.Team{ID: 40}}}}
	require.True(t, score.Recount(&f, nil, true))
	require.Equal(t, footy.ScoreOf(1, 0), f.Events[0].ScoreAfter)
	require.Equal(t, footy.ScoreOf(1, 0), f.Events[1].ScoreBefore)
}

func TestGoalsWithoutEvent(t *testing.T) {
	t.Parallel()
	f := footy.Fixture{Teams: teams(), Score: footy.ScoreOf(2, 0), Events: []footy.Event{{Kind: footy.KindGoal, Team: footy.Team{ID: 40}}, {Kind: footy.KindGoal, Team: footy.Team{ID: 42}}}}
	require.Equal(t, 1, score.WithoutEvent(f), "more held than counted is no omission")
	f.Events[0].Removed = true
	require.Equal(t, 2, score.WithoutEvent(f), "a removed goal is held no more")
	f.Score = footy.Score{}
	require.Zero(t, score.WithoutEvent(f))
}
