package debounce

import (
	"cmp"
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/identity"
)

const (
	nearMinutes      = 2  // minutes: what a clock correction moves a goal by
	farMinutes       = 10 // minutes: the same scorer's goal at the same score may move by so much
	restoreMinutes   = 5  // minutes: a cancelled goal may come back so far from where it stood
	correctedMinutes = 3  // minutes: what a correction of scorer and minute at once moves a goal by
)

// pass is one way of recognising a stored event in the list, from the surest to the weakest.
type pass func(e *footy.Event, l footy.FeedEvent, sameScore bool) bool

var passes = []pass{
	func(e *footy.Event, l footy.FeedEvent, _ bool) bool {
		return sameID(e, l) && minutesApart(e, l) <= nearMinutes
	},
	func(e *footy.Event, l footy.FeedEvent, _ bool) bool {
		return identity.SameScorer(e.Player, l.Player) && minutesApart(e, l) <= nearMinutes
	},
	func(e *footy.Event, l footy.FeedEvent, _ bool) bool {
		return sameName(e, l) && minutesApart(e, l) <= nearMinutes
	},
	// The same scorer further away: only if nothing says that this is another goal of his. After an absence, it may be.
	func(e *footy.Event, l footy.FeedEvent, sameScore bool) bool {
		return identity.SameScorer(e.Player, l.Player) && minutesApart(e, l) <= farMinutes && sameScore && noAbsences(e)
	},
	func(e *footy.Event, l footy.FeedEvent, _ bool) bool {
		return !identity.Known(e.Player) && !identity.Known(l.Player) && minutesApart(e, l) <= nearMinutes
	},
	// Another scorer, the same goal: identified or corrected. A goal that was missing meanwhile must sit closer, since
	// after a cancelled goal the next one brings the same score.
	func(e *footy.Event, l footy.FeedEvent, sameScore bool) bool {
		return sameScore && (minutesApart(e, l) <= nearMinutes && noAbsences(e) || minutesApart(e, l) <= 1)
	},
	// The score around it may be shifted by another goal's omission; the very same moment is enough.
	func(e *footy.Event, l footy.FeedEvent, _ bool) bool {
		return e.Minute.Known() && e.Minute == l.Minute && noAbsences(e)
	},
}

// sameAsRemoved recognises a removed goal that is listed again. Another player's goal shortly after is a new one.
func sameAsRemoved(e *footy.Event, l footy.FeedEvent, sameScore bool) bool {
	if identity.SameScorer(e.Player, l.Player) {
		return minutesApart(e, l) <= restoreMinutes
	}
	oneUnknown := !identity.Known(e.Player) || !identity.Known(l.Player)
	return oneUnknown && minutesApart(e, l) <= 1 && sameScore
}

// match pairs stored events with listed ones; the results are indices into f.Events by index of the list, -1 for none.
func match(f *footy.Fixture, l eventList, follows func(kind footy.Kind, detail string) bool) []int {
	m := matcher{f: f, list: l, of: make([]int, len(l.events)), taken: make([]bool, len(f.Events))}
	for i := range m.of {
		m.of[i] = -1
	}
	live := m.stored(func(e *footy.Event) bool { return e.Standing() && follows(e.Kind, e.Detail) })
	for i, p := range passes {
		if i == anyMinutePass {
			m.matchUnique(live, sameScorerAnyMinute)
		}
		m.matchPass(live, p)
	}
	m.matchUnique(live, nearAnyScorer)
	m.matchPass(m.stored(func(e *footy.Event) bool { return e.Removed && !e.Swept && follows(e.Kind, e.Detail) }), sameAsRemoved)
	return m.of
}

type matcher struct {
	f     *footy.Fixture
	list  eventList
	of    []int
	taken []bool
}

func (m *matcher) stored(want func(*footy.Event) bool) []int {
	var out []int
	for i := range m.f.Events {
		if want(&m.f.Events[i]) {
			out = append(out, i)
		}
	}
	return out
}

type pair struct{ apart, stored, listed int }

// matchPass pairs what the pass recognises, nearest first: of a brace that lost one goal, the survivor keeps its own minute.
func (m *matcher) matchPass(stored []int, p pass) {
	var pairs []pair
	for _, si := range stored {
		if m.taken[si] {
			continue
		}
		e := &m.f.Events[si]
		for li, l := range m.list.events {
			if m.of[li] < 0 && l.Kind == e.Kind && l.Team.ID == e.Team.ID && p(e, l, e.ScoreAfter.Equal(m.list.around[li].After)) {
				pairs = append(pairs, pair{minutesApart(e, l), si, li})
			}
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.apart, b.apart), cmp.Compare(a.stored, b.stored), cmp.Compare(a.listed, b.listed))
	})
	for _, p := range pairs {
		if !m.taken[p.stored] && m.of[p.listed] < 0 {
			m.taken[p.stored], m.of[p.listed] = true, p.stored
		}
	}
}

func sameID(e *footy.Event, l footy.FeedEvent) bool {
	return e.Player.ID != 0 && e.Player.ID == l.Player.ID
}

func sameName(e *footy.Event, l footy.FeedEvent) bool {
	return identity.SameScorer(footy.Person{Name: e.Player.Name}, footy.Person{Name: l.Player.Name})
}

func noAbsences(e *footy.Event) bool { return len(e.DropWorkflows) == 0 }

// listedLast reports an event that the last answer listed.
func listedLast(e *footy.Event) bool { return noAbsences(e) && e.Withheld == "" }

// minutesApart is how many minutes lie between two; an unknown minute may be any, yet loses to one that is known.
func minutesApart(e *footy.Event, l footy.FeedEvent) int {
	if !e.Minute.Known() || !l.Minute.Known() {
		return nearMinutes
	}
	d := e.Minute.Clock() - l.Minute.Clock()
	if d < 0 {
		return -d
	}
	return d
}
