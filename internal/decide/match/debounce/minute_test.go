package debounce_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/footy"
)

func TestGoalWithoutMinuteIsTheStoredOne(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	e := m.certain(goal(home, 7, "Ann", 20))
	for range 4 {
		require.Empty(t, m.sees(goal(home, 7, "Ann", 0)), "a lost minute is no news")
		require.Empty(t, m.sees(goal(home, 0, "", 0)), "nor is a lost scorer with it")
	}
	require.Equal(t, 20, only(t, m).Minute.Elapsed)
	require.Empty(t, m.sees(goal(home, 7, "Ann", 20)))
	require.Empty(t, e.AbsentPolls)
}

func TestBraceKeepsBothMinutesWhenOneIsLost(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	m.certain(goal(home, 7, "Ann", 20), goal(home, 7, "Ann", 28))
	for range 3 {
		require.Empty(t, m.sees(goal(home, 7, "Ann", 0), goal(home, 7, "Ann", 20)))
		require.Empty(t, m.sees(goal(home, 7, "Ann", 28), goal(home, 7, "Ann", 0)))
		require.Empty(t, m.sees(goal(home, 7, "Ann", 0), goal(home, 7, "Ann", 0)))
		require.Empty(t, m.seesAt(footy.ScoreOf(2, 0), goal(home, 7, "Ann", 28), goal(home, 7, "Ann", 20), goal(home, 7, "Ann", 0)))
	}
	require.Len(t, m.f.Events, 2)
	ds := m.sees(goal(home, 7, "Ann", 20), goal(home, 7, "Ann", 28), goal(home, 7, "Ann", 0))
	require.Equal(t, []footy.EntryKind{footy.EntryNew}, kinds(ds), "a third goal the score counts is one")
}

func TestMinuteKnownLaterIsTakenOver(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	m.certain(goal(home, 7, "Ann", 0))
	ds := m.sees(goal(home, 7, "Ann", 20))
	require.Equal(t, []footy.EntryKind{footy.EntryChanged}, kinds(ds))
	require.Equal(t, debounce.ReasonMinute, ds[0].Reason)
	require.Equal(t, 20, only(t, m).Minute.Elapsed)
}

func TestClearedFieldOfAGoalIsARegression(t *testing.T) {
	t.Parallel()
	was := answer(list(goal(home, 7, "Ann", 20), goal(home, 7, "Ann", 30)))
	for name, l := range map[string][]footy.FeedEvent{
		"minute": list(goal(home, 7, "Ann", 20), goal(home, 7, "Ann", 0)),
		"scorer": list(goal(home, 7, "Ann", 20), goal(home, 0, "", 30)),
	} {
		require.Equal(t, []string{debounce.FieldCleared}, debounce.Regressions(was, answer(l)), name)
	}
	for name, l := range map[string][]footy.FeedEvent{
		"same":       was.Events,
		"cancelled":  list(goal(home, 7, "Ann", 20)),
		"next goal":  append(list(goal(home, 0, "", 31)), was.Events...),
		"other name": list(goal(home, 7, "Ann", 20), goal(home, 8, "Bea", 30)),
	} {
		require.Empty(t, debounce.Regressions(was, answer(l)), name)
	}
}
