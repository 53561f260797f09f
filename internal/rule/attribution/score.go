package attribution

import (
	"cmp"
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
)

// Context is the score around one goal.
type Context struct {
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

// Listed gives the score around each event of a snapshot, in the order of its list. Events that are no real goals get the
// score at their minute.
func Listed(teams footy.Teams, events []footy.FeedEvent) []Context {
	var goals []goal
	at := make([]goal, len(events))
	for i, e := range events {
		at[i] = goal{e.Minute, e.Team.ID, tieOf(e.Player, e.Detail), i}
		if e.Kind == footy.KindGoal {
			goals = append(goals, at[i])
		}
	}
	count := newCounter(teams, goals)
	out := make([]Context, len(events))
	for i, e := range events {
		out[i] = count.around(at[i], e.Kind == footy.KindGoal)
	}
	return out
}

// Recount sets the score context of every live event from all live goals of the fixture. If goals themselves are not
// followed, they are taken from the snapshot. It reports whether anything changed.
func Recount(f *footy.Fixture, listed []footy.FeedEvent, goalsFollowed bool) (changed bool) {
	var goals []goal
	if goalsFollowed {
		for i := range f.Events {
			if e := &f.Events[i]; e.Standing() && e.Kind == footy.KindGoal {
				goals = append(goals, stored(e, i))
			}
		}
	} else {
		for i, e := range listed {
			if e.Kind == footy.KindGoal {
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
		c := count.around(stored(e, i), e.Kind == footy.KindGoal)
		if !same(e.ScoreBefore, c.Before) || !same(e.ScoreAfter, c.After) || e.ScoringTeam != c.Side {
			e.ScoreBefore, e.ScoreAfter, e.ScoringTeam = c.Before, c.After, c.Side
			changed = true
		}
	}
	return changed
}

func stored(e *footy.Event, n int) goal {
	return goal{e.Minute, e.Team.ID, tieOf(e.Player, e.Detail), n}
}

func tieOf(p footy.Person, detail string) string { return key(p.Name) + "\x00" + detail }

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

func (c counter) around(g goal, counts bool) Context {
	home, away := 0, 0
	side := sideOf(c.teams, g.team)
	for _, o := range c.goals {
		if compare(o, g) >= 0 {
			break
		}
		switch sideOf(c.teams, o.team) {
		case footy.SideHome:
			home++
		case footy.SideAway:
			away++
		}
	}
	ctx := Context{Before: footy.ScoreOf(home, away), Side: side}
	if counts && side == footy.SideHome {
		home++
	}
	if counts && side == footy.SideAway {
		away++
	}
	ctx.After = footy.ScoreOf(home, away)
	return ctx
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

// Goals counts the real goals of a list of feed events.
func Goals(teams footy.Teams, events []footy.FeedEvent) Count {
	var c Count
	for _, e := range events {
		if e.Kind == footy.KindGoal {
			c.add(sideOf(teams, e.Team.ID))
		}
	}
	return c
}

func (c *Count) add(side footy.Side) {
	switch side {
	case footy.SideHome:
		c.Home++
	case footy.SideAway:
		c.Away++
	default:
		c.Other++
	}
}

// Unlisted is how many goals a snapshot's score counts that its list does not show; 0 where the score is unknown.
func Unlisted(s footy.Snapshot) (home, away int) {
	c := Goals(s.Teams, s.Events)
	if s.Score.Home != nil {
		home = max(0, *s.Score.Home-c.Home)
	}
	if s.Score.Away != nil {
		away = max(0, *s.Score.Away-c.Away)
	}
	return home, away
}

// Missing is how many goals the score counts that we hold no event for.
func Missing(f footy.Fixture) int {
	var c Count
	for i := range f.Events {
		if e := &f.Events[i]; e.Standing() && e.Kind == footy.KindGoal {
			c.add(sideOf(f.Teams, e.Team.ID))
		}
	}
	n := 0
	if f.Score.Home != nil {
		n += max(0, *f.Score.Home-c.Home)
	}
	if f.Score.Away != nil {
		n += max(0, *f.Score.Away-c.Away)
	}
	return n
}

func sideOf(teams footy.Teams, id int64) footy.Side {
	switch id {
	case teams.Home.ID:
		return footy.SideHome
	case teams.Away.ID:
		return footy.SideAway
	}
	return ""
}

func same(a, b footy.Score) bool {
	eq := func(x, y *int) bool { return (x == nil) == (y == nil) && (x == nil || *x == *y) }
	return eq(a.Home, b.Home) && eq(a.Away, b.Away)
}
