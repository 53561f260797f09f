package debounce

import (
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/clock"
)

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
