package football

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/world/script"
)

// plan is what a key may do: how many calls, and whether all questions.
type plan struct {
	name              string
	perDay, perMinute int
	free              bool
}

// plan is that of the key: every key is a large plan's, unless the day has the mode free_plan.
func (s *Server) plan() plan {
	if s.on(script.FreePlan) {
		return plan{name: "Free", perDay: 100, perMinute: 10, free: true}
	}
	return plan{name: "Ultra", perDay: 75000, perMinute: 450}
}

// on reports whether the day has a mode just now.
func (s *Server) on(mode string) bool {
	for _, m := range s.script.Modes {
		if m.Mode == mode && m.On(s.day.Minutes()) {
			return true
		}
	}
	return false
}

// refusal is what a free plan says to a question that it does not answer; "" if it does.
func (p plan) refusal(q url.Values, now time.Time) string {
	if !p.free {
		return ""
	}
	for param, name := range map[string]string{"ids": "Ids", "last": "Last", "next": "Next"} {
		if q.Has(param) {
			return "Free plans do not have access to the " + name + " parameter."
		}
	}
	now = now.UTC()
	if from, to := now.AddDate(0, 0, -1).Format(time.DateOnly), now.AddDate(0, 0, 1).Format(time.DateOnly); q.Has("date") &&
		(q.Get("date") < from || q.Get("date") > to) {
		return fmt.Sprintf("Free plans do not have access to this date, try from %s to %s.", from, to)
	}
	if last := now.Year() - 2; q.Has("season") && q.Get("season") > strconv.Itoa(last) {
		return fmt.Sprintf("Free plans do not have access to this season, try from %d to %d.", last-2, last)
	}
	return ""
}

// recentCalls are the moments of the calls of the last minute.
type recentCalls struct {
	mu sync.Mutex
	at []time.Time
}

// add counts a call and tells how many there were within a minute, this one included.
func (c *recentCalls) add(now time.Time, minute time.Duration) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = append(c.at, now)
	for now.Sub(c.at[0]) >= minute {
		c.at = c.at[1:]
	}
	return len(c.at)
}

// insists is how many calls above a minute's limit are answered with words; who asks on gets 429.
const insists = 2

// spend counts a call, writes what is left into the headers and refuses it where nothing is. Every call counts, one that is refused
// too. In compressed time the minute is as much shorter as everything else of the day: the product asks as many times more often.
// The day's calls are not scaled: a match takes as many of the product's cycles, and so of its calls, at each scale, and the vendor's
// day stays the day of the calendar (UTC), by which the product counts.
func (s *Server) spend(w http.ResponseWriter, p plan, name string, params map[string]string) bool {
	now := s.day.Now()
	used := s.day.Call(now.UTC().Format(time.DateOnly))
	lately := s.recent.add(now, time.Duration(float64(time.Minute)/s.day.Scale()))
	h := w.Header()
	h.Set("x-ratelimit-requests-limit", strconv.Itoa(p.perDay))
	h.Set("x-ratelimit-requests-remaining", strconv.Itoa(max(0, p.perDay-used)))
	h.Set("X-RateLimit-Limit", strconv.Itoa(p.perMinute))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(max(0, p.perMinute-lately)))
	switch {
	case used > p.perDay:
		refuse(w, name, params, "requests", "You have reached the request limit for the day, Go to https://dashboard.api-football.com to upgrade your plan.", 1)
	case lately > p.perMinute:
		if lately > p.perMinute+insists {
			w.WriteHeader(http.StatusTooManyRequests)
		}
		refuse(w, name, params, "rateLimit", fmt.Sprintf("Too many requests. Your rate limit is %d requests per minute.", p.perMinute), 1)
	default:
		return true
	}
	return false
}

func (s *Server) status(w http.ResponseWriter, p plan) {
	used := s.day.Calls(s.day.Now().UTC().Format(time.DateOnly))
	write(w, map[string]any{"get": "status", "parameters": []string{}, "errors": []string{}, "results": 1,
		"paging": paging{1, 1}, "response": map[string]any{
			"account":      map[string]string{"firstname": "Found", "lastname": "Footy"},
			"subscription": map[string]any{"plan": p.name, "active": true},
			"requests":     map[string]int{"current": min(used, p.perDay), "limit_day": p.perDay}}})
}
