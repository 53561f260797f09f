package debounce

import (
	"cmp"
	"slices"

	"github.com/found-footy/found-footy/internal/decide/match/identity"
	"github.com/found-footy/found-footy/internal/decide/match/score"
	"github.com/found-footy/found-footy/internal/footy"
)

const (
	nearMinutes      = 2  // minutes by which a corrected clock moves a goal
	farMinutes       = 10 // minutes by which the same scorer's goal at the same score may move
	restoreMinutes   = 5  // minutes by which a removed goal may have moved when it is listed again
	correctedMinutes = 3  // minutes by which a goal moves when scorer and minute are corrected at once
)

// pass is one way of recognising a stored event in the list, from the surest to the weakest.
type pass func(e *footy.Event, l footy.FeedEvent, sameScore bool) bool

// scorerPasses come first: an id says more than a minute.
var scorerPasses = []pass{
	func(e *footy.Event, l footy.FeedEvent, _ bool) bool {
		return e.Player.ID != 0 && e.Player.ID == l.Player.ID && minutesApart(e, l) <= nearMinutes
	},
	func(e *footy.Event, l footy.FeedEvent, _ bool) bool {
		return identity.SameScorer(e.Player, l.Player) && minutesApart(e, l) <= nearMinutes
	},
	func(e *footy.Event, l footy.FeedEvent, _ bool) bool {
		return identity.SameName(e.Player, l.Player) && minutesApart(e, l) <= nearMinutes
	},
	// The same scorer further away: not after an absence, when it may be another goal of his.
	func(e *footy.Event, l footy.FeedEvent, sameScore bool) bool {
		return identity.SameScorer(e.Player, l.Player) && minutesApart(e, l) <= farMinutes && sameScore && noAbsences(e)
	},
}

// momentPasses come after a scorer's goal was looked for at any minute.
var momentPasses = []pass{
	func(e *footy.Event, l footy.FeedEvent, _ bool) bool {
		return !identity.Known(e.Player) && !identity.Known(l.Player) && minutesApart(e, l) <= nearMinutes
	},
	// Another scorer, the same goal: identified or corrected. A goal that was missing must be closer, because
	// after a cancelled goal the next one brings the same score.
	func(e *footy.Event, l footy.FeedEvent, sameScore bool) bool {
		return sameScore && (minutesApart(e, l) <= nearMinutes && noAbsences(e) || minutesApart(e, l) <= 1)
	},
	// Another goal that is left out changes the score around this one: here the very same minute is enough.
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
	standing := m.stored(func(e *footy.Event) bool { return e.Standing() && follows(e.Kind, e.Detail) })
	for _, p := range scorerPasses {
		m.matchPass(standing, p)
	}
	m.matchUnique(standing, sameScorerAnyMinute)
	for _, p := range momentPasses {
		m.matchPass(standing, p)
	}
	m.matchUnique(standing, nearAnyScorer)
	m.keepSenior(standing)
	m.matchPass(m.stored(func(e *footy.Event) bool { return e.Removed && !e.Swept && follows(e.Kind, e.Detail) }), sameAsRemoved)
	return m.of
}

// IDs are the ids of our events by the answer's own list; "" for what is not followed or not known yet.
func IDs(f *footy.Fixture, s footy.Snapshot, o Options) []string {
	ids := make([]string, len(s.Events))
	l := readList(f, s)
	for li, si := range match(f, l, o.normal().follows) {
		if si < 0 {
			continue
		}
		e := l.events[li] // its minute may be corrected, its kind another
		of := func(exact bool) int {
			return slices.IndexFunc(s.Events, func(o footy.FeedEvent) bool {
				return o.Type == e.Type && o.Detail == e.Detail && o.Team.ID == e.Team.ID && o.Player == e.Player && (!exact || o.Minute == e.Minute)
			})
		}
		if i := cmp.Or(of(true)+1, of(false)+1); i > 0 && ids[i-1] == "" {
			ids[i-1] = f.Events[si].ID
		}
	}
	return ids
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

// matchPass pairs what the pass recognises, nearest first: where a player had two goals and one was cancelled, the other keeps its minute.
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

func noAbsences(e *footy.Event) bool { return len(e.AbsentPolls) == 0 }

func listedLast(e *footy.Event) bool { return noAbsences(e) && e.Withheld == "" }

// minutesApart is how many minutes are between the two. An unknown minute counts as just near enough: a known one is preferred.
func minutesApart(e *footy.Event, l footy.FeedEvent) int { return apart(e.Minute, l.Minute) }

func apart(a, b footy.Minute) int {
	if !a.Known() || !b.Known() {
		return nearMinutes
	}
	d := a.Clock() - b.Clock()
	return max(d, -d)
}

// copies reports whether two stored goals may be one that was listed twice: of one scorer within two minutes, or in the very same minute where the
// score never counted both.
func copies(a, b *footy.Event) bool {
	if a.UID == b.UID || a.Kind != b.Kind || a.Team.ID != b.Team.ID || !counts(a) || !counts(b) {
		return false
	}
	return mayBeOne(a.Player, b.Player) && apart(a.Minute, b.Minute) <= nearMinutes || a.Minute == b.Minute && !(a.Certain() && b.Certain())
}

// senior reports whether the first of two stored copies is the one to keep: the one with a search, and then the one that was stored first.
func (m *matcher) senior(a, b int) bool {
	if certain := m.f.Events[a].Certain(); certain != m.f.Events[b].Certain() {
		return certain
	}
	return a < b
}

// keepSenior gives what is listed of a goal that was listed twice to the copy that has its clips, whichever copy is gone from the list. So it is
// also where a player really scored twice at once: after the restart only the second goal can be taken back.
func (m *matcher) keepSenior(stored []int) {
	for _, si := range stored {
		e := &m.f.Events[si]
		for li, oi := range m.of {
			if m.taken[si] || oi < 0 || !copies(e, &m.f.Events[oi]) || !m.senior(si, oi) || minutesApart(e, m.list.events[li]) > nearMinutes || m.needed(e) {
				continue
			}
			m.taken[si], m.taken[oi], m.of[li] = true, false, si
		}
	}
}

// needed reports whether the score counts more goals of the side than are listed, or none is known: the one that is missing may come back.
func (m *matcher) needed(e *footy.Event) bool {
	side := m.f.Teams.Side(e.Team.ID)
	n, known := m.list.score.On(side)
	return side == "" || !known || m.list.goals.On(side) < n
}

// sameScorerAnyMinute recognises a goal whose minute was corrected by many minutes.
func sameScorerAnyMinute(e *footy.Event, l footy.FeedEvent) bool {
	return identity.SameScorer(e.Player, l.Player)
}

// nearAnyScorer recognises a goal whose scorer and minute were corrected at once.
func nearAnyScorer(e *footy.Event, l footy.FeedEvent) bool {
	return minutesApart(e, l) <= correctedMinutes
}

// matchUnique pairs a stored goal with a listed one where neither has another counterpart and no goal came or went: as many are
// listed as stored, and the score asks for no more.
func (m *matcher) matchUnique(stored []int, fits func(e *footy.Event, l footy.FeedEvent) bool) {
	for _, si := range stored {
		e := &m.f.Events[si]
		if m.taken[si] || !e.Kind.Scores() || !listedLast(e) || !m.countsAgree(e) {
			continue
		}
		if li, ok := m.uniqueCounterpart(stored, si, fits); ok {
			m.taken[si], m.of[li] = true, si
		}
	}
}

// uniqueCounterpart finds the one listed goal that may be this event; none if two may, or if it may be another event.
func (m *matcher) uniqueCounterpart(stored []int, si int, fits func(e *footy.Event, l footy.FeedEvent) bool) (found int, ok bool) {
	e, found := &m.f.Events[si], -1
	for li, l := range m.list.events {
		if m.of[li] >= 0 || l.Kind != e.Kind || l.Team.ID != e.Team.ID {
			continue
		}
		switch {
		case fits(e, l) && found >= 0:
			return -1, false
		case fits(e, l):
			found = li
		case minutesApart(e, l) <= 1:
			return -1, false // another scorer's goal where this one stood: scorers were corrected, not minutes
		}
	}
	if found < 0 {
		return -1, false
	}
	for _, oi := range stored {
		if o := &m.f.Events[oi]; oi != si && !m.taken[oi] && o.Kind == e.Kind && o.Team.ID == e.Team.ID &&
			(fits(o, m.list.events[found]) || minutesApart(o, m.list.events[found]) <= 1) {
			return -1, false
		}
	}
	return found, true
}

// countsAgree reports that as many goals of a side are listed as stored, and that the score does not ask for more.
func (m *matcher) countsAgree(e *footy.Event) bool {
	side := m.f.Teams.Side(e.Team.ID)
	if side == "" {
		return false
	}
	have := score.Held(m.f).On(side)
	n, known := m.list.score.On(side)
	return m.list.goals.On(side) == have && (!known || n <= have)
}
