package debounce

import (
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// breakMinutes are the least minutes without play between kickoff and the start of each period: stoppage time, half-time, the break
// before extra time. Real ones are longer; too short is safe, because no post is refused for it.
var breakMinutes = []int{0, 5, 8, 8}

// HappenedAt estimates when a goal was scored that is first seen now: posts of it can be older than our first sight, after an
// outage or when we were started in mid-match. In the goal's own period the feed's clock tells how long ago it was; later on,
// kickoff and minute do. The estimate errs towards too early and is never after seen. minute is the length of a minute of play.
func HappenedAt(kickoff time.Time, status footy.Status, goal footy.Minute, seen time.Time, minute time.Duration) time.Time {
	if goal.Elapsed <= 0 {
		return seen
	}
	at := seen
	switch p := periodOf(goal.Elapsed); {
	case status.Elapsed != nil && inPlay[status.Code] && periodOf(*status.Elapsed) == p && !clockStopped(status):
		at = seen.Add(-time.Duration(clockOf(status)-goal.Elapsed-goal.Extra) * minute)
	case !kickoff.IsZero():
		at = kickoff.Add(time.Duration(goal.Elapsed+goal.Extra+breakMinutes[p]) * minute)
	}
	if at.After(seen) {
		return seen
	}
	return at
}

// clockStopped reports whether the clock stopped at the end of a period: it does not say how much stoppage time is played.
func clockStopped(s footy.Status) bool {
	n := *s.Elapsed
	return (n == 45 || n == 90 || n == 105 || n == 120) && (s.Extra == nil || *s.Extra == 0)
}

var inPlay = map[string]bool{"1H": true, "2H": true, "ET": true, "LIVE": true}

func clockOf(s footy.Status) int {
	n := *s.Elapsed
	if s.Extra != nil {
		n += *s.Extra
	}
	return n
}

// periodOf numbers the periods from 0; stoppage time is part of its period, because elapsed stands still in it.
func periodOf(elapsed int) int {
	switch {
	case elapsed <= 45:
		return 0
	case elapsed <= 90:
		return 1
	case elapsed <= 105:
		return 2
	}
	return 3
}
