package browser

import (
	"fmt"
	"io"
	"sort"
	"sync"
	"sync/atomic"

	"github.com/found-footy/found-footy/internal/source"
)

// counts are the service's counters since it started.
type counts struct {
	mu       sync.Mutex
	states   map[source.State]int
	calls    atomic.Int64
	shared   atomic.Int64
	restarts atomic.Int64
}

func (c *counts) search(r source.Result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.states == nil {
		c.states = map[source.State]int{}
	}
	c.states[r.State]++
	c.calls.Add(int64(r.CallsUsed))
}

// writeMetrics writes the Prometheus text format; a handful of numbers is no reason for its library here.
func (s *Service) writeMetrics(w io.Writer) {
	gauge := func(name, kind, help string, value any) {
		_, _ = fmt.Fprintf(w, "# HELP %s %s\n# TYPE %[1]s %[3]s\n%[1]s %[4]v\n", name, help, kind, value)
	}
	b := s.budget.State(s.opts.Now())
	login, _, _, _ := s.session.state()
	ok := 0
	if login == source.LoginOK {
		ok = 1
	}
	gauge("footy_x_logged_in", "gauge", "1 while X accepts the session.", ok)
	gauge("footy_x_budget_remaining", "gauge", "Search calls left in the present window.", b.Left)
	gauge("footy_x_budget_limit", "gauge", "Search calls allowed in a window.", b.Limit)
	gauge("footy_x_budget_wait_seconds", "gauge", "Seconds until the next call is allowed.", b.Wait.Seconds())
	gauge("footy_x_tabs_busy", "gauge", "Searches under way.", len(s.tabs))
	gauge("footy_x_calls_total", "counter", "SearchTimeline calls made.", s.counts.calls.Load())
	gauge("footy_x_shared_total", "counter", "Searches answered by another goal's call.", s.counts.shared.Load())
	gauge("footy_x_browser_restarts_total", "counter", "Times that Chromium died.", s.counts.restarts.Load())
	s.counts.mu.Lock()
	defer s.counts.mu.Unlock()
	var states []string
	for st := range s.counts.states {
		states = append(states, string(st))
	}
	sort.Strings(states)
	_, _ = fmt.Fprint(w, "# HELP footy_x_searches_total Searches by how they ended.\n# TYPE footy_x_searches_total counter\n")
	for _, st := range states {
		_, _ = fmt.Fprintf(w, "footy_x_searches_total{state=%q} %d\n", st, s.counts.states[source.State(st)])
	}
}
