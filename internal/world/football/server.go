// Package football is the simulated API-Football: it serves the script's matches as the vendor's JSON, with scripted errors and failures.
package football

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/found-footy/found-footy/internal/world/day"
	"github.com/found-footy/found-footy/internal/world/fault"
	"github.com/found-footy/found-footy/internal/world/script"
)

// Server answers GET /fixtures.
type Server struct {
	script *script.Script
	day    *day.Day
	media  string
	calls  atomic.Int64
	panel  *fault.Panel
}

// New returns the feed of one day.
func New(s *script.Script, d *day.Day) *Server { return &Server{script: s, day: d, media: media} }

// PicturesAt makes the answers name base for pictures instead of the vendor's own server.
func (s *Server) PicturesAt(base string) *Server {
	s.media = base + "/football/"
	return s
}

// Under puts the feed under a panel of faults.
func (s *Server) Under(p *fault.Panel) *Server {
	s.panel = p
	return s
}

const (
	perDay    = 75000
	perMinute = 450
	maxIDs    = 20
)

// ServeHTTP answers with the vendor's envelope, its quota headers and its habit of failing inside a 200.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	used := s.calls.Add(1)
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("x-ratelimit-requests-limit", strconv.Itoa(perDay))
	h.Set("x-ratelimit-requests-remaining", strconv.FormatInt(max(0, perDay-used), 10))
	h.Set("X-RateLimit-Limit", strconv.Itoa(perMinute))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(perMinute-1))
	name, params := strings.Trim(r.URL.Path, "/"), parameters(r)
	if r.Header.Get("x-apisports-key") == "" {
		refuse(w, name, params, "token", "Error/Missing application key. Go to https://www.api-football.com/documentation-v3 to learn how to get your API application key.", 0)
		return
	}
	if name == "status" {
		s.status(w, used)
		return
	}
	if name != "fixtures" {
		refuse(w, name, params, "endpoint", "This endpoint do not exist.", 1)
		return
	}
	q := r.URL.Query()
	switch {
	case q.Get("ids") != "" || q.Get("id") != "":
		s.byID(w, params, q.Get("ids")+q.Get("id"))
	case q.Get("date") != "":
		s.byDate(w, params, q.Get("date"))
	case q.Get("live") != "":
		s.live(w, params)
	default:
		refuse(w, name, []string{}, "required", "At least one parameter is required.", 1)
	}
}

func (s *Server) byID(w http.ResponseWriter, params map[string]string, list string) {
	ids := strings.Split(list, "-")
	if len(ids) > maxIDs {
		refuse(w, "fixtures", params, "ids", "The Ids field can not contain more than 20 ids.", 1)
		return
	}
	if s.playFailure(w, params) {
		return
	}
	now := s.day.Minutes()
	var out []any
	for _, f := range s.script.Fixtures {
		if !slices.Contains(ids, strconv.Itoa(f.ID)) {
			continue
		}
		poll := s.day.Poll(f.ID)
		sh := s.applyOutage(report(f, now, func(key string) int { return s.day.ListingPoll(f.ID, key, poll) }), now)
		fx := s.fixtureJSON(sh)
		events := s.events(sh)
		fx.Events = &events
		out = append(out, fx)
	}
	if err := s.day.Save(); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	answer(w, params, out)
}

func (s *Server) byDate(w http.ResponseWriter, params map[string]string, date string) {
	if s.panel.NoList(date) {
		http.Error(w, "Internal Server Error", http.StatusInternalServerError)
		return
	}
	now := s.day.Minutes()
	var out []any
	for _, f := range s.script.Fixtures {
		fx := s.fixtureJSON(s.reportWithoutCounting(f, now))
		if strings.HasPrefix(fx.Fixture.Date, date) {
			out = append(out, fx)
		}
	}
	answer(w, params, out)
}

func (s *Server) live(w http.ResponseWriter, params map[string]string) {
	now := s.day.Minutes()
	var out []any
	for _, f := range s.script.Fixtures {
		sh := s.reportWithoutCounting(f, now)
		switch sh.status.Short {
		case "1H", "HT", "2H", "ET", "BT", "P", "SUSP", "INT", "LIVE":
			fx := s.fixtureJSON(sh)
			fx.Events = &[]event{}
			out = append(out, fx)
		}
	}
	answer(w, params, out)
}

// reportWithoutCounting reports a fixture without counting an answer: list calls do not advance steps that speak of polls.
func (s *Server) reportWithoutCounting(f script.Fixture, now float64) fixtureReport {
	polls := s.day.Polls()[f.ID]
	return s.applyOutage(report(f, now, func(key string) int { return s.day.Listed(f.ID, key, polls) }), now)
}

// applyOutage applies the outage that is on, if any.
func (s *Server) applyOutage(sh fixtureReport, now float64) fixtureReport {
	for _, o := range s.script.Outages {
		if now < o.From || now >= o.From+o.Minutes {
			continue
		}
		for _, e := range o.Fixtures {
			if e.Fixture == sh.f.ID {
				return sh.regress(e.How, now-o.From)
			}
		}
	}
	return sh
}

// playFailure plays the scripted failure of this by-id request, if there is one.
func (s *Server) playFailure(w http.ResponseWriter, params map[string]string) bool {
	n := s.day.NextRequest()
	for _, f := range s.script.Feed.Failures {
		if f.Request != n {
			continue
		}
		switch f.Mode {
		case "errors_in_200":
			refuse(w, "fixtures", params, "rateLimit", "Too many requests. Your rate limit is 10 requests per minute.", 1)
		case "rate_limited":
			w.WriteHeader(http.StatusTooManyRequests)
		default:
			http.Error(w, "Internal Server Error", http.StatusInternalServerError)
		}
		return true
	}
	return false
}

func (s *Server) status(w http.ResponseWriter, used int64) {
	write(w, map[string]any{"get": "status", "parameters": []string{}, "errors": []string{}, "results": 1,
		"paging": paging{1, 1}, "response": map[string]any{
			"account":      map[string]string{"firstname": "Found", "lastname": "Footy"},
			"subscription": map[string]any{"plan": "Ultra", "active": true},
			"requests":     map[string]int64{"current": used, "limit_day": perDay}}})
}

func answer(w http.ResponseWriter, params any, out []any) {
	if out == nil {
		out = []any{}
	}
	write(w, envelope{"fixtures", params, []string{}, len(out), paging{1, 1}, out})
}

func refuse(w http.ResponseWriter, get string, params any, key, message string, pages int) {
	write(w, envelope{get, params, map[string]string{key: message}, 0, paging{pages, pages}, []any{}})
}

func write(w http.ResponseWriter, v any) {
	_ = json.NewEncoder(w).Encode(v) // the client went away: nobody to tell
}

func parameters(r *http.Request) map[string]string {
	out := map[string]string{}
	for k, v := range r.URL.Query() {
		out[k] = v[0]
	}
	return out
}
