package xapi

import (
	"net/http"
	"strconv"
	"sync"
	"time"
)

// limits remembers what the API said of its rate limit, so that no call is wasted on a sure refusal.
type limits struct {
	mu      sync.Mutex
	blocked time.Time
}

func (l *limits) wait(now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return max(l.blocked.Sub(now), 0)
}

func (l *limits) block(until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if until.After(l.blocked) {
		l.blocked = until
	}
}

// longestBlock bounds what a header can do: X's windows are of 15 minutes, some limits of a day.
const longestBlock = 24 * time.Hour

func (l *limits) read(h http.Header, now time.Time) {
	remaining, err := strconv.Atoi(h.Get("x-rate-limit-remaining"))
	reset, errReset := strconv.ParseInt(h.Get("x-rate-limit-reset"), 10, 64)
	if err != nil || errReset != nil || remaining > 0 {
		return
	}
	if until := time.Unix(reset, 0); until.Sub(now) <= longestBlock {
		l.block(until)
	}
}
