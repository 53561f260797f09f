package debounce_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/footy"
)

func TestGoalTheScoreDoesNotCountIsNotCertain(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	g := goal(home, 7, "Ann", 20)
	for i := range 5 {
		ds := m.seesAt(footy.ScoreOf(0, 0), g)
		require.False(t, has(ds, footy.EntryCertain))
		if i >= 2 {
			require.Equal(t, debounce.ReasonNotCounted, ds[0].Reason)
		}
	}
	require.True(t, has(m.sees(g), footy.EntryCertain), "as soon as the score counts it")
	for range 4 {
		require.False(t, has(m.seesAt(footy.ScoreOf(1, 0), g, goal(home, 8, "Bea", 10)), footy.EntryCertain),
			"the certain goal has the score's one goal, also when an earlier one is listed")
	}
	require.True(t, has(m.sees(g, goal(home, 8, "Bea", 10)), footy.EntryCertain))
}

func TestUnknownScoreForbidsNoGoal(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	for range 2 {
		m.seesAt(footy.Score{}, goal(home, 7, "Ann", 20))
	}
	require.True(t, has(m.seesAt(footy.Score{}, goal(home, 7, "Ann", 20)), footy.EntryCertain))
}

func TestKicksBeyondTheScoreAreNoGoals(t *testing.T) {
	t.Parallel()
	kick := func(team, player int64, name string, n int) footy.FeedEvent {
		k := goal(team, player, name, 12000+n)
		k.Minute, k.Detail = footy.Minute{Elapsed: 120, Extra: n}, "Penalty"
		return k
	}
	m := newMatch(t)
	goals := list(goal(home, 7, "Ann", 20), kick(away, 9, "Cleo", 0))
	m.certain(goals...)
	s := answer(goals)
	s.Events = append(s.Events, kick(home, 8, "Bea", 1), kick(away, 9, "Cleo", 2), kick(home, 7, "Ann", 3))
	for _, code := range []string{"P", "P", "P", "PEN"} {
		s.Match.Status.Code = code
		require.Empty(t, m.polls(s, false))
	}
	s.Events = s.Events[1:] // a real goal is left out: the kicks do not stand in for it
	require.Equal(t, []footy.EntryKind{footy.EntryWithheld}, kinds(m.polls(s, false)))
}
