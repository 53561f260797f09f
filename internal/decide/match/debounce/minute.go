package debounce

import (
	"cmp"
	"slices"

	"github.com/found-footy/found-footy/internal/decide/match/identity"
	"github.com/found-footy/found-footy/internal/footy"
)

// withMinutes gives events that are listed without a minute the one they are stored with, so that neither their order
// nor their identity depends on a field the feed lost. What is not stored keeps its unknown minute.
func withMinutes(f *footy.Fixture, teams footy.Teams, events []footy.FeedEvent, counts footy.Score) []footy.FeedEvent {
	if !slices.ContainsFunc(events, func(l footy.FeedEvent) bool { return !l.Minute.Known() }) {
		return events
	}
	free := unmatchedWithMinute(f, events)
	take := func(fits func(e *footy.Event, l footy.FeedEvent) bool) {
		for i, l := range events {
			if l.Minute.Known() {
				continue
			}
			n := slices.IndexFunc(free, func(e *footy.Event) bool { return e.Kind == l.Kind && e.Team.ID == l.Team.ID && fits(e, l) })
			if n >= 0 {
				events[i].Minute = free[n].Minute
				free = slices.Delete(free, n, n+1)
			}
		}
	}
	take(func(e *footy.Event, l footy.FeedEvent) bool { return identity.SameScorer(e.Player, l.Player) })
	take(func(e *footy.Event, l footy.FeedEvent) bool { return sameName(e.Player, l.Player) })
	take(func(e *footy.Event, l footy.FeedEvent) bool {
		return e.Standing() && (!identity.Known(l.Player) || !identity.Known(e.Player))
	})
	return withoutRepeats(teams, events, counts, func(i int) bool {
		l := events[i]
		return !l.Minute.Known() && identity.Known(l.Player) && slices.ContainsFunc(events, func(o footy.FeedEvent) bool {
			return o.Minute.Known() && o.Kind == l.Kind && o.Team.ID == l.Team.ID && identity.SameScorer(o.Player, l.Player)
		})
	})
}

// unmatchedWithMinute are the stored events with a minute that match no listed event with a minute: standing ones first, then by minute.
func unmatchedWithMinute(f *footy.Fixture, events []footy.FeedEvent) []*footy.Event {
	claimed := make([]bool, len(f.Events))
	for _, l := range events {
		best := -1
		for i := range f.Events {
			e := &f.Events[i]
			if l.Minute.Known() && e.Minute.Known() && !claimed[i] && !e.Removed && e.Kind == l.Kind && e.Team.ID == l.Team.ID && minutesApart(e, l) <= nearMinutes &&
				(best < 0 || matchCost(e, l) < matchCost(&f.Events[best], l)) {
				best = i
			}
		}
		if best >= 0 {
			claimed[best] = true
		}
	}
	var out []*footy.Event
	for i := range f.Events {
		if e := &f.Events[i]; !claimed[i] && e.Minute.Known() && !e.Swept {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b *footy.Event) int {
		return cmp.Or(removedLast(a)-removedLast(b), cmp.Compare(a.Minute.Elapsed, b.Minute.Elapsed), cmp.Compare(a.Minute.Extra, b.Minute.Extra))
	})
	return out
}

func removedLast(e *footy.Event) int {
	if e.Removed {
		return 1
	}
	return 0
}

// matchCost orders what may be the same event: nearest first, the same scorer before another.
func matchCost(e *footy.Event, l footy.FeedEvent) int {
	c := 2 * minutesApart(e, l)
	if !identity.SameScorer(e.Player, l.Player) {
		c++
	}
	return c
}
