package debounce_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/footy"
)

func TestMinuteOfTheSameScorerMayBeCorrectedFar(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	m.certain(goal(home, 7, "Ann", 20), goal(away, 9, "Cleo", 30))
	ds := m.sees(goal(home, 7, "Ann", 35), goal(away, 9, "Cleo", 30))
	require.Equal(t, []footy.EntryKind{footy.EntryChanged}, kinds(ds))
	require.Equal(t, debounce.ReasonMinute, ds[0].Reason)
	require.Len(t, m.f.Events, 2)
}

func TestSecondGoalOfTheSameScorerIsNoCorrection(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	m.certain(goal(home, 7, "Ann", 20))
	ds := m.seesAt(footy.ScoreOf(2, 0), goal(home, 7, "Ann", 35)) // the feed omits the first
	require.Contains(t, kinds(ds), footy.EntryNew)
	require.Contains(t, kinds(ds), footy.EntryWithheld)

	m = newMatch(t)
	m.certain(goal(home, 7, "Ann", 20))
	require.Contains(t, kinds(m.sees()), footy.EntryAbsence)
	require.Contains(t, kinds(m.sees(goal(home, 7, "Ann", 35))), footy.EntryNew, "after a cancelled one")

	m = newMatch(t)
	m.certain(goal(home, 7, "Ann", 30), goal(home, 7, "Ann", 60))
	for range 3 {
		m.sees(goal(home, 7, "Ann", 60))
	}
	require.True(t, m.f.Events[0].Removed)
	require.Equal(t, 60, m.f.Events[1].Minute.Elapsed)
}

func TestScorerAndMinuteCorrectedAtOnce(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	m.certain(goal(home, 7, "Ann", 20))
	ds := m.sees(goal(home, 8, "Bea", 23))
	require.Equal(t, []footy.EntryKind{footy.EntryRenamed, footy.EntryChanged, footy.EntrySighting}, kinds(ds))
	require.Equal(t, "Bea", only(t, m).Player.Name)

	m.seesAt(footy.ScoreOf(2, 0), goal(home, 9, "Cleo", 26))
	require.Len(t, m.f.Events, 2, "a goal more by the score is a goal more")
}

func TestSwappedScorersAreRenamedNotMoved(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	m.certain(goal(home, 7, "Ann", 20), goal(home, 8, "Bea", 40))
	m.sees(goal(home, 8, "Bea", 20), goal(home, 7, "Ann", 40))
	require.Equal(t, 20, m.f.Events[0].Minute.Elapsed)
	require.Equal(t, "Bea", m.f.Events[0].Player.Name)
}
