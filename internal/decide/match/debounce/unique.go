package debounce

import (
	"github.com/found-footy/found-footy/internal/decide/match/identity"
	"github.com/found-footy/found-footy/internal/footy"
)

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
	have := 0
	for i := range m.f.Events {
		if o := &m.f.Events[i]; o.Standing() && o.Kind.Scores() && m.f.Teams.Side(o.Team.ID) == side {
			have++
		}
	}
	n, known := m.list.score.On(side)
	return m.list.goals.On(side) == have && (!known || n <= have)
}
