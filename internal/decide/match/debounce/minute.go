package debounce

import (
	"cmp"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/identity"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/clock"
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
	take(func(e *footy.Event, l footy.FeedEvent) bool { return identity.SameName(e.Player, l.Player) })
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

// breakMinutes are the least minutes without play between kickoff and the start of each period: stoppage time, half-time, the break
// before extra time. Real ones are longer; too short is safe, because no post is refused for it.
var breakMinutes = map[clock.Period]int{clock.First: 0, clock.Second: 5, clock.Extra1: 8, clock.Extra2: 8}

// HappenedAt estimates when a goal was scored that is first seen now: posts of it can be older than our first sight, after an
// outage or when we were started in mid-match. In the goal's own period the feed's clock tells how long ago it was; later on,
// kickoff and minute do. The estimate is as exact as the feed, to the minute: a goal of the minute that is played is taken to be scored when it
// is seen. Where kickoff has to tell, it errs towards too early. It is never after seen. minute is the length of a minute of play.
func HappenedAt(kickoff time.Time, status footy.Status, goal footy.Minute, seen time.Time, minute time.Duration) time.Time {
	if goal.Elapsed <= 0 {
		return seen
	}
	at, now := seen, status.Minute()
	switch p := clock.PeriodOf(goal.Elapsed); {
	case clockTells(status, goal):
		at = seen.Add(-time.Duration(now.Elapsed+now.Extra-goal.Elapsed-goal.Extra) * minute)
	case !kickoff.IsZero():
		at = kickoff.Add(time.Duration(goal.Elapsed+goal.Extra+breakMinutes[p]) * minute)
	}
	if at.After(seen) {
		return seen
	}
	return at
}

// clockTells reports whether the feed's clock says how long ago a goal was: it runs, in the goal's own period.
func clockTells(status footy.Status, goal footy.Minute) bool {
	return goal.Elapsed > 0 && status.Elapsed != nil && status.Info().Running && !clockStopped(status) &&
		clock.PeriodOf(max(status.Minute().Elapsed, 1)) == clock.PeriodOf(goal.Elapsed)
}

// watchGap is how many minutes of play nobody looks at a match before a goal that is seen then may be an old one.
const watchGap = 5

// caughtUp reports whether nobody looked at the match for minutes before it was answered now: we were started in mid-match, the feed
// was away, or the plan's calls were short.
func caughtUp(before, answered time.Time, minute time.Duration) bool {
	return before.IsZero() || answered.Sub(before) >= watchGap*minute
}

// firstLook reports whether nobody looked at the match before while it was under way. Between two later looks lies only their pace,
// minutes with a free key.
func firstLook(before, kickoff time.Time) bool {
	return before.IsZero() || before.Before(kickoff)
}

// clockStopped reports whether the clock stopped at the end of a period: it does not say how much stoppage time is played.
func clockStopped(s footy.Status) bool {
	n := *s.Elapsed
	return (n == 45 || n == 90 || n == 105 || n == 120) && (s.Extra == nil || *s.Extra == 0)
}
