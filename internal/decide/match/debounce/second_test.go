package debounce_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/footy"
)

// looksAgain is a second look of a cycle.
func (m *match) looksAgain(events ...footy.FeedEvent) []debounce.Decision {
	m.t.Helper()
	ds, _ := debounce.Decide(&m.f, answer(events), debounce.Poll{ID: fmt.Sprintf("again-%d", m.poll), Now: m.now(), SecondLook: true}, m.o)
	return ds
}

func TestASecondLookIsASighting(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	m.sees(goal(home, 1, "Ann", 10))
	m.looksAgain(goal(home, 1, "Ann", 10))
	require.False(t, only(t, m).Certain())
	m.sees(goal(home, 1, "Ann", 10))
	require.True(t, only(t, m).Certain(), "three distinct polls saw it")

	other := newMatch(t)
	other.sees(goal(home, 1, "Ann", 10))
	other.sees(goal(home, 1, "Ann", 10))
	other.looksAgain(goal(home, 2, "Bea", 10))
	require.False(t, only(t, other).Certain(), "the last two must name the same scorer")
}

func TestASecondLookMissesNothing(t *testing.T) {
	t.Parallel()
	g := goal(home, 1, "Ann", 10)
	m := newMatch(t)
	m.certain(g)
	for range 2 {
		m.sees()
		require.Empty(t, m.looksAgain(), "a goal that is not there is not talked of")
	}
	require.Len(t, only(t, m).AbsentPolls, 2)
	require.False(t, only(t, m).Removed)
	m.looksAgain(g)
	require.Empty(t, only(t, m).AbsentPolls, "one that is there stands")
	for range 3 {
		require.False(t, only(t, m).Removed)
		m.sees()
	}
	require.True(t, only(t, m).Removed)
}

// TestSecondLooksRemoveNothingSooner: whatever they say, a goal is removed by three cycles that missed it, and by no fewer.
func TestSecondLooksRemoveNothingSooner(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		all := stories(rt)
		m := newMatch(rt)
		for poll := 1; poll <= matchPolls; poll++ {
			m.sees(listing(rt, all, poll)...)
			for _, e := range m.f.Events {
				require.True(rt, !e.Removed || len(e.AbsentPolls) == m.o.Absences, "%v", e.AbsentPolls)
				for _, poll := range e.AbsentPolls {
					require.True(rt, strings.HasPrefix(poll, "monitor-"), poll)
				}
			}
			if rapid.Bool().Draw(rt, "look again") {
				events := listing(rt, all, poll)
				if rapid.IntRange(0, 3).Draw(rt, "empty") == 0 {
					events = nil
				}
				for _, d := range m.looksAgain(events...) {
					require.NotContains(rt, []footy.EntryKind{footy.EntryRemoved, footy.EntryAbsence, footy.EntryWithheld}, d.Kind)
				}
			}
		}
	})
}
