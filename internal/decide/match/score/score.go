// Package score tells what the listed goals add up to: the score around each goal, and the goals a score counts that nobody
// listed. Pure: values in, values out.
package score

import (
	"cmp"
	"slices"

	"github.com/found-footy/found-footy/internal/decide/match/identity"
	"github.com/found-footy/found-footy/internal/footy"
)

// Around is the score before and after one event, and the side it belongs to.
type Around struct {
	Before, After footy.Score
	Side          footy.Side
}

// goal is what the count needs of a goal, stored or listed.
type goal struct {
	minute footy.Minute
	team   int64
	tie    string // makes the order of goals of one minute independent of the array
	n      int    // tells two apart that nothing else does
}

// AroundEach gives the score around each event of a snapshot, in the order of its list. Events that are no real goals get the
// score at their minute.
func AroundEach(teams footy.Teams, events []footy.FeedEvent) []Around {
	var goals []goal
	at := make([]goal, len(events))
	for i, e := range events {
		at[i] = goal{e.Minute, e.Team.ID, tieOf(e.Player, e.Detail), i}
		if e.Kind.Scores() {
			goals = append(goals, at[i])
		}
	}
	count := newCounter(teams, goals)
	out := make([]Around, len(events))
	for i, e := range events {
		out[i] = count.around(at[i], e.Kind.Scores())
	}
	return out
}

// Recount sets the score context of every standing event from all standing goals of the fixture. If goals themselves are not
// followed, they are taken from the snapshot. It reports whether anything changed.
func Recount(f *footy.Fixture, listed []footy.FeedEvent, goalsFollowed bool) (changed bool) {
	var goals []goal
	if goalsFollowed {
		for i := range f.Events {
			if e := &f.Events[i]; e.Standing() && e.Kind.Scores() {
				goals = append(goals, stored(e, i))
			}
		}
	} else {
		for i, e := range listed {
			if e.Kind.Scores() {
				goals = append(goals, goal{e.Minute, e.Team.ID, tieOf(e.Player, e.Detail), i})
			}
		}
	}
	count := newCounter(f.Teams, goals)
	for i := range f.Events {
		e := &f.Events[i]
		if !e.Standing() {
			continue
		}
		c := count.around(stored(e, i), e.Kind.Scores())
		if !e.ScoreBefore.Equal(c.Before) || !e.ScoreAfter.Equal(c.After) || e.ScoringTeam != c.Side {
			e.ScoreBefore, e.ScoreAfter, e.ScoringTeam = c.Before, c.After, c.Side
			changed = true
		}
	}
	return changed
}

func stored(e *footy.Event, n int) goal {
	return goal{e.Minute, e.Team.ID, tieOf(e.Player, e.Detail), n}
}

func tieOf(p footy.Person, detail string) string { return identity.NameKey(p.Name) + "\x00" + detail }

// counter holds the goals in the order they were scored.
type counter struct {
	teams footy.Teams
	goals []goal
}

func newCounter(teams footy.Teams, goals []goal) counter {
	slices.SortStableFunc(goals, compare)
	return counter{teams, goals}
}

func compare(a, b goal) int {
	return cmp.Or(unknownLast(a.minute, b.minute), cmp.Compare(a.minute.Elapsed, b.minute.Elapsed), cmp.Compare(a.minute.Extra, b.minute.Extra),
		cmp.Compare(a.team, b.team), cmp.Compare(a.tie, b.tie), cmp.Compare(a.n, b.n))
}

// unknownLast puts goals without a minute behind the others: they are mostly the newest.
func unknownLast(a, b footy.Minute) int {
	switch {
	case (a.Elapsed > 0) == (b.Elapsed > 0):
		return 0
	case a.Elapsed > 0:
		return -1
	}
	return 1
}

func (c counter) around(g goal, counts bool) Around {
	var n Count
	for _, o := range c.goals {
		if compare(o, g) >= 0 {
			break
		}
		n.Add(c.teams.Side(o.team), 1)
	}
	out := Around{Before: footy.ScoreOf(n.Home, n.Away), Side: c.teams.Side(g.team)}
	if counts {
		n.Add(out.Side, 1)
	}
	out.After = footy.ScoreOf(n.Home, n.Away)
	return out
}

// Count is the number of real goals by side; Other counts goals of teams that do not play here.
type Count struct{ Home, Away, Other int }

// Total is the number of goals.
func (c Count) Total() int { return c.Home + c.Away + c.Other }

// On is the number of goals of one side.
func (c Count) On(side footy.Side) int {
	switch side {
	case footy.SideHome:
		return c.Home
	case footy.SideAway:
		return c.Away
	}
	return c.Other
}

// CountGoals counts the real goals of a list of feed events.
func CountGoals(teams footy.Teams, events []footy.FeedEvent) Count {
	var c Count
	for _, e := range events {
		if e.Kind.Scores() {
			c.Add(teams.Side(e.Team.ID), 1)
		}
	}
	return c
}

// Add counts n more goals of a side.
func (c *Count) Add(side footy.Side, n int) {
	switch side {
	case footy.SideHome:
		c.Home += n
	case footy.SideAway:
		c.Away += n
	default:
		c.Other += n
	}
}

// Held counts the standing goals of a match.
func Held(f *footy.Fixture) (c Count) {
	for i := range f.Events {
		if e := &f.Events[i]; e.Standing() && e.Kind.Scores() {
			c.Add(f.Teams.Side(e.Team.ID), 1)
		}
	}
	return c
}

// WithoutEvent is how many goals the score counts that we hold no event for.
func WithoutEvent(f footy.Fixture) int {
	c, n := Held(&f), 0
	if f.Score.Home != nil {
		n += max(0, *f.Score.Home-c.Home)
	}
	if f.Score.Away != nil {
		n += max(0, *f.Score.Away-c.Away)
	}
	return n
}
