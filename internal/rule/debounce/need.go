package debounce

import (
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/identity"
	"github.com/found-footy/found-footy/internal/rule/score"
)

// NeedsDecision reports whether Decide could have anything to say about an answer: cheap, because it is asked of every
// fixture in every poll, and never false where Decide would change something.
func NeedsDecision(f footy.Fixture, s footy.Snapshot, o Options) bool {
	if !s.HasEvents {
		return false
	}
	o = o.normal()
	if len(f.Events) > 64 {
		return true // the mask below has 64 bits; no match has so many goals
	}
	var missing uint64 // stored events not yet found in the list
	for i := range f.Events {
		e := &f.Events[i]
		if !e.Standing() || !o.follows(e.Kind, e.Detail) {
			continue
		}
		if !e.Certain() || e.ScorerPolls < o.ScorerPolls || !listedLast(e) {
			return true
		}
		missing |= 1 << i
	}
	for _, l := range s.Events {
		if !o.follows(l.Kind, l.Detail) {
			continue
		}
		i := unchangedEvent(f.Events, missing, l)
		if i < 0 {
			return true
		}
		missing &^= 1 << i
	}
	return missing != 0 || !o.goals() && scoresChange(f, s)
}

// unchangedEvent finds the stored event, among those not yet found, that is exactly what is listed; -1 if none is.
func unchangedEvent(events []footy.Event, missing uint64, l footy.FeedEvent) int {
	for i := range events {
		e := &events[i]
		if missing&(1<<i) != 0 && e.Kind == l.Kind && e.Team.ID == l.Team.ID && e.Minute == l.Minute &&
			(e.Player == l.Player || !identity.Known(l.Player)) && !compare(*e, l, false).any() {
			return i
		}
	}
	return -1
}

// scoresChange reports whether the score context of followed events depends on goals that are not stored.
func scoresChange(f footy.Fixture, s footy.Snapshot) bool {
	clone := f
	clone.Events = append([]footy.Event(nil), f.Events...)
	return score.Recount(&clone, s.Events, false)
}
