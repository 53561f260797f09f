package debounce_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
)

// standing are the goals that stand, in their order.
func (m *match) standing() (out []footy.Event) {
	for _, e := range m.f.Events {
		if e.Standing() {
			out = append(out, e)
		}
	}
	return out
}

// restart reads the fixture from what a database has of it.
func (m *match) restart() {
	m.t.Helper()
	var f footy.Fixture
	require.NoError(m.t, json.Unmarshal([]byte(text(m.t, m.f)), &f))
	m.f = f
}

// TestAGoalListedTwiceAndThenOnceIsOneGoal: whichever copy goes, and whatever the score said meanwhile, the event with the search stays.
func TestAGoalListedTwiceAndThenOnceIsOneGoal(t *testing.T) {
	t.Parallel()
	first := goal(home, 10, "Bukayo Saka", 23)
	before, after := goal(home, 8, "Ødegaard", 12), goal(away, 30, "Isak", 40)
	copies := map[string]footy.FeedEvent{
		"the very same": first, "without a number": goal(home, 0, "Bukayo Saka", 23), "shortened": goal(home, 0, "B. Saka", 23), "no scorer": goal(home, 0, "", 23),
		"a minute later": goal(home, 10, "Bukayo Saka", 24), "two minutes earlier": goal(home, 10, "Bukayo Saka", 21), "shortened, a minute later": goal(home, 0, "Saka", 24),
		"a correction of the scorer": goal(home, 11, "Martinelli", 23),
	}
	for name, second := range copies {
		for _, order := range []string{"first goes", "second goes"} {
			for _, alone := range []int{0, 1, 4} { // polls that list the first alone
				for _, counted := range []int{0, 1, 5} { // polls whose score counts both
					if counted > 0 && (name == "no scorer" || name == "a correction of the scorer") {
						continue // two goals, as far as anybody can know
					}
					t.Run(fmt.Sprintf("%s, %s, alone %d, counted %d", name, order, alone, counted), func(t *testing.T) {
						t.Parallel()
						m := newMatch(t)
						m.certain(before)
						for range alone {
							m.sees(before, first)
						}
						once, twice := footy.ScoreOf(2, 0), footy.ScoreOf(3, 0)
						for range counted {
							m.seesAt(twice, second, before, first)
						}
						for range 4 {
							m.seesAt(once, before, first, second)
							m.restart()
						}
						kept := m.standing()[1]
						require.True(t, kept.Certain())
						left := first
						if order == "first goes" {
							left = second
						}
						for range 8 {
							m.seesAt(footy.ScoreOf(2, 1), left, after, before)
							m.restart()
						}
						require.Len(t, m.standing(), 3)
						is := m.f.Event(kept.UID)
						require.True(t, is.Standing(), "the event that was searched for stays")
						if name != "a correction of the scorer" {
							require.Equal(t, kept.Round.Workflow, is.Round.Workflow, "no search begins anew")
						}
						require.Equal(t, footy.ScoreOf(2, 0), is.ScoreAfter)
						for _, e := range m.f.Events {
							if e.Removed {
								require.Equal(t, footy.ReasonListedTwice, e.RemovedReason)
							}
						}
						for range 4 {
							m.seesAt(footy.ScoreOf(1, 1), before, after)
						}
						require.True(t, m.f.Event(kept.UID).Removed, "and can be taken back")
					})
				}
			}
		}
	}
}

// TestCopiesThatCameTogetherAreOneGoal: both were first seen by one poll, and the score counted both.
func TestCopiesThatCameTogetherAreOneGoal(t *testing.T) {
	t.Parallel()
	copies := list(goal(home, 10, "Bukayo Saka", 23), goal(home, 10, "Bukayo Saka", 24))
	for left := range copies {
		m := newMatch(t)
		m.certain(copies...)
		first := m.f.Events[0].UID
		for range 4 {
			m.sees(copies[left])
		}
		require.Len(t, m.standing(), 1)
		require.Equal(t, first, m.standing()[0].UID)
		require.Equal(t, copies[left].Minute, m.standing()[0].Minute)
	}
}

func TestTwoGoalsOfAScorerWithinAMinuteAreTwo(t *testing.T) {
	t.Parallel()
	for _, minutes := range [][2]int{{51, 52}, {55, 57}, {4501, 4502}, {45, 46}} {
		m := newMatch(t)
		a, b := goal(home, 9, "Lewandowski", minutes[0]), goal(home, 9, "Lewandowski", minutes[1])
		m.certain(a)
		for range 2 {
			m.seesAt(footy.ScoreOf(1, 0), a, b) // the score comes late
		}
		for range 3 {
			m.sees(b, a)
		}
		require.Len(t, m.standing(), 2, minutes)
		for _, e := range m.standing() {
			require.True(t, e.Certain())
		}
		uid, second := m.f.Events[0].UID, m.f.Events[1].UID
		for range 4 { // an omission takes nothing from either
			m.seesAt(footy.ScoreOf(2, 0), b)
			require.Equal(t, a.Minute, m.f.Event(uid).Minute)
		}
		m.sees(a, b)
		require.Equal(t, b.Minute, m.f.Event(second).Minute)
		for range 3 { // only the second can be taken back: the first stood when play went on
			m.sees(a)
		}
		require.True(t, m.f.Event(uid).Standing())
		require.Equal(t, footy.ReasonVAR, m.f.Event(second).RemovedReason)
	}
}

func TestTwoScorersInOneMinuteAreTwo(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	a, b := goal(home, 9, "Ann", 30), goal(home, 10, "Bea", 30)
	m.certain(a, b)
	for range 3 {
		m.sees(b)
	}
	require.Equal(t, footy.ReasonVAR, m.f.Events[0].RemovedReason)
	require.True(t, m.f.Events[1].Standing())
}

// TestAScorerIsNamedByAnotherSpellingOfHisName: a feed may write a name shorter or longer, with a number or without, and never as it did first.
func TestAScorerIsNamedByAnotherSpellingOfHisName(t *testing.T) {
	t.Parallel()
	for _, names := range [][2]footy.FeedEvent{
		{goal(home, 100, "A. Lacazette", 23), goal(home, 0, "Lacazette", 23)},
		{goal(home, 100, "A. Lacazette", 23), goal(home, 0, "Alexandre Lacazette", 23)},
		{goal(home, 0, "Alexandre Lacazette", 23), goal(home, 0, "Lacazette", 23)},
		{goal(home, 0, "Lacazette", 23), goal(home, 0, "A. Lacazette", 23)},
	} {
		for _, first := range [][]footy.FeedEvent{names[:1], names[:]} {
			m := newMatch(t)
			m.seesAt(footy.ScoreOf(1, 0), first...)
			for range 4 {
				m.seesAt(footy.ScoreOf(1, 0), names[1])
			}
			require.Len(t, m.standing(), 1)
			require.True(t, m.standing()[0].Certain(), names)
		}
	}
}

// TestANameUnderAnotherNumberIsTheScorer: a feed that numbers one player twice, in any order, renames nothing and lists one goal.
func TestANameUnderAnotherNumberIsTheScorer(t *testing.T) {
	t.Parallel()
	for _, other := range []footy.FeedEvent{goal(home, 11, "Bukayo Saka", 23), goal(home, 11, "BUKAYO SAKA", 24), goal(home, 11, "Bukayo Säka", 25)} {
		m := newMatch(t)
		m.certain(goal(home, 10, "Bukayo Saka", 23))
		was := m.standing()[0]
		for range 6 {
			m.sees(other)
			m.sees(goal(home, 10, "Bukayo Saka", 23))
		}
		require.Len(t, m.standing(), 1)
		is := m.standing()[0]
		require.Equal(t, was.Player, is.Player)
		require.Equal(t, was.Round, is.Round)
		require.Equal(t, was.ScorerPolls, is.ScorerPolls)
	}
}
