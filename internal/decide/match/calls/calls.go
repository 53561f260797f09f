// Package calls decides which calls to the feed a cycle makes: the cheapest ones that see every match that is due, within what the
// plan allows. Pure: values in, values out.
package calls

import (
	"cmp"
	"slices"
	"time"
)

// Kind of a call to the feed.
type Kind string

// The kinds of calls.
const (
	Live Kind = "live" // every match under way, in one call, with events
	IDs  Kind = "ids"  // some matches by their ids
	ID   Kind = "id"   // one match by its id
	Date Kind = "date" // a day's list, without events: no poll
)

// Seen is how a match that is due can be seen.
type Seen int

// How a match can be seen.
const (
	Apart    Seen = iota // by its id only: it is over, or postponed
	UnderWay             // in the list of what is under way. Missing there, it is asked for by its id: that tells whether it is over
	Expected             // in that list as soon as it begins. Missing there, nothing is said of it
)

// Match is a followed match that is due.
type Match struct {
	ID    int64
	Seen  Seen
	Slot  bool      // an expected match that is asked for by its id now, whatever the list says: it may be put off
	Asked time.Time // who was asked for least recently goes first
}

// Call is one call to the feed.
type Call struct {
	Kind  Kind    `json:"kind"`
	IDs   []int64 `json:"ids"`             // each of them is to be answered, or is asked for by its id
	Watch []int64 `json:"watch,omitempty"` // answers about them are welcome; none says nothing
}

// Budget is how many calls may be made; a negative number is no limit.
type Budget struct {
	Now   int // this minute
	Apart int // of those, for matches that the list of what is under way does not show: the list itself goes before them
}

// Without is what is left of a budget after some calls.
func (b Budget) Without(made []Call) Budget {
	byID := 0
	for _, c := range made {
		if c.Kind != Live {
			byID++
		}
	}
	return Budget{Now: less(b.Now, len(made)), Apart: less(b.Apart, byID)}
}

// ForMissing is how many calls may ask for matches that a list lacks.
func (b Budget) ForMissing() int { return atMost(b.Now, b.Apart) }

// Choose returns the cheapest calls that see every match that is due, and how many matches must wait for a later cycle. At equal cost
// it asks by ids: such an answer also tells that a match is over. At most together matches share a call by ids.
func Choose(can Can, together int, due []Match, b Budget) (out []Call, putOff int) {
	if b.Now == 0 {
		return nil, len(due)
	}
	due = slices.Clone(due)
	slices.SortFunc(due, func(a, b Match) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), a.Asked.Compare(b.Asked), cmp.Compare(a.ID, b.ID))
	})
	var live Call
	var rest []int64
	needed := 0 // of rest, that are not apart
	listed := withList(can, together, mixOf(due))
	if listed {
		live = Call{Kind: Live}
	}
	for _, m := range due {
		switch {
		case listed && m.Seen == UnderWay:
			live.IDs = append(live.IDs, m.ID)
		case listed && m.Seen == Expected && !m.Slot:
			live.Watch = append(live.Watch, m.ID)
		default:
			rest = append(rest, m.ID)
			if m.Seen != Apart && !m.Slot {
				needed++
			}
		}
	}
	most := b.Now
	if listed {
		out = append(out, live)
		most = less(most, 1)
	}
	if b.Apart >= 0 {
		most = atMost(most, needed+b.Apart)
	}
	byID, putOff := ByID(can, together, rest, most)
	return append(out, byID...), putOff
}

// ByID returns the calls that ask for matches by their ids, so many at most (negative: no limit), and how many matches are left over.
func ByID(can Can, together int, ids []int64, most int) (out []Call, left int) {
	kind := IDs
	if !can.IDs || together < 1 {
		kind, together = ID, 1
	}
	for len(ids) > 0 && (most < 0 || len(out) < most) {
		n := min(len(ids), together)
		out = append(out, Call{Kind: kind, IDs: slices.Clone(ids[:n])})
		ids = ids[n:]
	}
	return out, len(ids)
}

// Mix is how many matches are due, by how they can be seen.
type Mix struct{ Apart, UnderWay, Expected, Slot int }

func mixOf(due []Match) Mix {
	var m Mix
	for _, d := range due {
		switch {
		case d.Seen == UnderWay:
			m.UnderWay++
		case d.Seen == Apart:
			m.Apart++
		case d.Slot:
			m.Slot++
		default:
			m.Expected++
		}
	}
	return m
}

// Cost is how many calls see such a mix of matches.
func Cost(can Can, together int, m Mix) int {
	if withList(can, together, m) {
		return 1 + chunks(can, together, m.Apart+m.Slot)
	}
	return chunks(can, together, m.Apart+m.UnderWay+m.Expected+m.Slot)
}

// withList reports whether the list of what is under way makes it cheaper.
func withList(can Can, together int, m Mix) bool {
	return can.Live && m.UnderWay+m.Expected > 0 &&
		1+chunks(can, together, m.Apart+m.Slot) < chunks(can, together, m.Apart+m.UnderWay+m.Expected+m.Slot)
}

func chunks(can Can, together, n int) int {
	if !can.IDs || together < 1 {
		return n
	}
	return (n + together - 1) / together
}

// rank orders what is asked for where not everything can be: goals come in matches under way.
func rank(m Match) int {
	switch {
	case m.Seen == UnderWay:
		return 0
	case m.Seen == Expected && !m.Slot:
		return 1
	}
	return 2
}

// less takes n from a budget.
func less(budget, n int) int {
	if budget < 0 {
		return budget
	}
	return max(0, budget-n)
}

// atMost is the smaller of two budgets.
func atMost(a, b int) int {
	switch {
	case a < 0:
		return b
	case b < 0:
		return a
	}
	return min(a, b)
}
