// Package football is the simulated API-Football: it serves the script's matches as the vendor's JSON, with scripted errors and failures.
package football

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/found-footy/found-footy/internal/world/day"
	"github.com/found-footy/found-footy/internal/world/fault"
	"github.com/found-footy/found-footy/internal/world/script"
)

// Server answers GET /fixtures, and finds teams and leagues by name.
type Server struct {
	script *script.Script
	day    *day.Day
	media  string
	panel  *fault.Panel
	recent recentCalls
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

const maxIDs = 20

// refusedKey is the one key that the feed refuses, as the vendor refuses every key it did not give.
const refusedKey = "wrong"

// ServeHTTP answers with the vendor's envelope, its quota headers and its habit of failing inside a 200.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	name, params := strings.Trim(r.URL.Path, "/"), parameters(r)
	if key := r.Header.Get("x-apisports-key"); key == "" || key == refusedKey {
		refuse(w, name, params, "token", "Error/Missing application key. Go to https://www.api-football.com/documentation-v3 to learn how to get your API application key.", 0)
		return
	}
	p := s.plan()
	if name == "status" { // costs no call
		s.status(w, p)
		return
	}
	if !s.spend(w, p, name, params) {
		return
	}
	if name == "teams" || name == "leagues" {
		s.byName(w, r, name, params)
		return
	}
	if name != "fixtures" {
		refuse(w, name, params, "endpoint", "This endpoint do not exist.", 1)
		return
	}
	q := r.URL.Query()
	if said := p.refusal(q, s.day.Now()); said != "" {
		refuse(w, name, params, "plan", said, 1)
		return
	}
	switch {
	case q.Get("ids") != "" || q.Get("id") != "":
		s.byID(w, params, q.Get("ids")+q.Get("id"))
	case q.Get("date") != "":
		s.byDate(w, params, q.Get("date"))
	case q.Get("live") != "":
		s.live(w, params, q.Get("live"))
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
		out = append(out, s.answerAbout(f, now))
	}
	s.answerCounted(w, params, len(out), out)
}

// answerCounted keeps what was counted before the answer leaves: a world that is started anew repeats no step.
func (s *Server) answerCounted(w http.ResponseWriter, params map[string]string, claimed int, out []any) {
	if err := s.day.Save(); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	answer(w, params, claimed, out)
}

// answerAbout answers for one fixture with its events. That is a poll: steps that speak of polls go on.
func (s *Server) answerAbout(f script.Fixture, now float64) fixture {
	poll := s.day.Poll(f.ID)
	sh := s.applyOutage(report(f, now, func(key string) int { return s.day.ListingPoll(f.ID, key, poll) }), now)
	fx := s.fixtureJSON(sh)
	events := s.events(sh)
	fx.Events = &events
	return fx
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
	answer(w, params, len(out), out)
}

// live lists what is under way, with events, on every plan: all of it, or of the leagues that are named. A match leaves the list at
// full time.
func (s *Server) live(w http.ResponseWriter, params map[string]string, which string) {
	if s.playFailure(w, params) {
		return
	}
	now, leagues := s.day.Minutes(), strings.Split(which, "-")
	var out []any
	listed := 0
	for _, f := range s.script.Fixtures {
		if which != "all" && !slices.Contains(leagues, strconv.Itoa(f.League)) {
			continue
		}
		sh := s.reportWithoutCounting(f, now)
		switch sh.status.Short {
		case "1H", "HT", "2H", "ET", "BT", "P", "SUSP", "INT", "LIVE":
			listed++
			switch s.gap(listed) {
			case gapMatch:
			case gapEvents:
				out = append(out, s.fixtureJSON(sh))
			default:
				out = append(out, s.answerAbout(f, now))
			}
		}
	}
	s.answerCounted(w, params, listed, out)
}

// What a patchy list lacks of a match.
const (
	gapMatch  = "match"
	gapEvents = "events"
)

// gap is what the list of what is under way lacks of its nth match; which ones have gaps changes from answer to answer.
func (s *Server) gap(n int) string {
	if !s.on(script.PatchyLive) {
		return ""
	}
	switch (s.day.Requests() + n) % 5 {
	case 0:
		return gapMatch
	case 1:
		return gapEvents
	}
	return ""
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

// playFailure plays the scripted failure of this request by id or for what is live, if there is one.
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

func answer(w http.ResponseWriter, params any, claimed int, out []any) {
	if out == nil {
		out = []any{}
	}
	write(w, envelope{"fixtures", params, []string{}, claimed, paging{1, 1}, out})
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
