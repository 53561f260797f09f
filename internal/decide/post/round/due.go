package round

import (
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Wait is how long to wait for the next usable search: until so long after the round's time began as At says, where time in which nobody
// could look does not count. 0 = it is due. Never longer than from the search before to this one: clocks of two machines may differ.
func (l Limits) Wait(e *footy.Event, now time.Time) time.Duration {
	n := e.Round.Searches
	if n < 1 || n >= len(l.At) {
		return 0
	}
	due := l.WindowEnd(e, now).Add(l.At[n] - l.Window)
	return max(min(due.Sub(now), l.At[n]-l.At[n-1]), 0)
}
