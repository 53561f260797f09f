package debounce

import (
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/attribution"
)

// NeedsDecision reports whether Decide could have anything to say about an answer: cheap, because it is asked of every
// fixture in every poll, and never false where Decide would change something.
func NeedsDecision(f footy.Fixture, s footy.Snapshot, o Options) bool {
	if !s.HasEvents {
		return false
	}
	o = o.normal()
	live := 0
	for i := range f.Events {
		e := &f.Events[i]
		if !e.Live() || !o.follows(e.Kind) {
			continue
		}
		if !e.Certain() || e.ScorerPolls < o.ScorerPolls || !seen(e) {
			return true
		}
		live++
	}
	for _, l := range s.Events {
		if !o.follows(l.Kind) {
			continue
		}
		if !listed(f.Events, l) {
			return true
		}
		live--
	}
	return live != 0 || !o.follows(footy.KindGoal) && goalsMoved(f, s)
}

// listed reports whether some live event is exactly what is listed.
func listed(events []footy.Event, l footy.FeedEvent) bool {
	for i := range events {
		e := &events[i]
		if e.Live() && e.Kind == l.Kind && e.Team.ID == l.Team.ID && e.Minute == l.Minute &&
			(e.Player == l.Player || !attribution.Known(l.Player)) && !compare(*e, l, false).any() {
			return true
		}
	}
	return false
}

// goalsMoved reports whether the score context of followed events depends on goals that are not stored.
func goalsMoved(f footy.Fixture, s footy.Snapshot) bool {
	clone := f
	clone.Events = append([]footy.Event(nil), f.Events...)
	return attribution.Recount(&clone, s.Events, false)
}
