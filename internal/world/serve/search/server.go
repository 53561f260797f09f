// Package search is the simulated X search service: it answers the contract the browser service answers, from the day's posts.
package search

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/world/day"
	"github.com/found-footy/found-footy/internal/world/fault"
	"github.com/found-footy/found-footy/internal/world/post"
	"github.com/found-footy/found-footy/internal/world/script"
)

// Server answers POST /search, GET /health, GET /status and the login endpoints.
type Server struct {
	script  script.Search
	day     *day.Day
	posts   *post.Catalog
	faults  *fault.Panel
	mu      sync.Mutex
	windows []time.Time // when the calls of the current budget window were made
}

// New returns the search service of one day.
func New(s *script.Script, d *day.Day, c *post.Catalog) *Server {
	return &Server{script: s.Search, day: d, posts: c}
}

// Under applies the faults of a panel to the searches.
func (s *Server) Under(p *fault.Panel) *Server {
	s.faults = p
	return s
}

type request struct {
	SearchQuery string          `json:"search_query"`
	Query       string          `json:"query"`
	ExcludeURLs []string        `json:"exclude_urls"`
	Since       json.RawMessage `json:"since"`
	MaxResults  int             `json:"max_results"`
	Ahead       int             `json:"ahead"`
}

type response struct {
	State      string  `json:"state"`
	Videos     []video `json:"videos"`
	CallsUsed  int     `json:"calls_used"`
	RetryAfter float64 `json:"retry_after"`
}

type video struct {
	ID         string `json:"id"`
	URL        string `json:"url"`
	Author     string `json:"author"`
	Text       string `json:"text"`
	PostedAt   string `json:"posted_at"`
	DurationMS *int   `json:"duration_ms"`
	Width      int    `json:"width"`
	Height     int    `json:"height"`
	Quoted     bool   `json:"quoted"`
}

const defaultResults = 20

// ServeHTTP routes the contract's endpoints.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method + " " + strings.TrimSuffix(r.URL.Path, "/") {
	case "POST /search":
		s.search(w, r)
	case "GET /health":
		write(w, map[string]any{"status": "ok", "login": s.login()})
	case "GET /status":
		used, left, reset := s.budget(time.Now())
		write(w, map[string]any{"login": s.login(), "account": "simulated", "busy": false, "detail": s.detail(),
			"budget": map[string]any{"limit": s.script.CallsPerReset, "used": used, "remaining": left, "reset_at": reset.UTC().Format(time.RFC3339)}})
	case "POST /authenticate", "POST /auth/verify":
		write(w, map[string]any{"login": s.login(), "authenticated": !s.faults.On(script.XLoggedOut)})
	default:
		http.NotFound(w, r)
	}
}

func (s *Server) search(w http.ResponseWriter, r *http.Request) {
	var req request
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&req); err != nil {
		http.Error(w, "search request: "+err.Error(), http.StatusBadRequest)
		return
	}
	query := cmp.Or(req.SearchQuery, req.Query)
	if strings.TrimSpace(query) == "" {
		http.Error(w, "search request: no search_query", http.StatusBadRequest)
		return
	}
	since, err := parseSince(req.Since)
	if err != nil {
		http.Error(w, "search request: "+err.Error(), http.StatusBadRequest)
		return
	}
	if req.Ahead > 0 && !s.spares(req.Ahead) {
		write(w, response{"not_now", []video{}, 0, 0})
		return
	}
	n, err := s.day.NextSearch()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	write(w, s.answer(n, query, since, req))
}

func (s *Server) answer(n int, query string, since time.Time, req request) response {
	none := []video{}
	for _, f := range s.script.Faults {
		if f.Call == n {
			return response{f.State, none, 1, f.RetryAfter / s.day.Scale()}
		}
	}
	if s.faults.On(script.XLoggedOut) { // X sent the page to its log-in
		return response{"login_required", none, 1, 0}
	}
	if on, limited := s.faults.For(script.XRateLimited, nil); limited {
		return response{"rate_limited", none, 1, max(on.LeftS, 1)}
	}
	now := time.Now()
	if wait := s.spend(now); wait > 0 {
		return response{"rate_limited", none, 0, wait.Seconds()}
	}
	found := s.find(Parse(query), since, now, req)
	if len(found) == 0 {
		return response{"empty", none, 1, 0}
	}
	return response{"results", found, 1, 0}
}

func (s *Server) login() string {
	if s.faults.On(script.XLoggedOut) {
		return "expired"
	}
	return "ok"
}

func (s *Server) detail() string {
	if s.faults.On(script.XLoggedOut) {
		return "X no longer accepts the session"
	}
	return ""
}

// find lists what matches, newest first.
func (s *Server) find(q Query, since, now time.Time, req request) []video {
	limit := cmp.Or(max(req.MaxResults, 0), defaultResults)
	excluded := map[string]bool{}
	for _, u := range req.ExcludeURLs {
		excluded[lastSegment(u)] = true
	}
	out, place := []video{}, map[string]int{}
	all := s.posts.All()
	for i := len(all) - 1; i >= 0 && len(out) < limit; i-- {
		p := all[i]
		if p.On != "" || p.PostedAt.After(now) || !q.Matches(p.Text) {
			continue
		}
		quoted, isQuote := s.posts.ByID(p.Quotes, now)
		if isQuote { // a video is the quoted post's, and as old as that
			p = quoted
		}
		if p.PostedAt.Before(since) || excluded[p.ID] {
			continue
		}
		if n, known := place[p.ID]; known {
			out[n].Quoted = out[n].Quoted && isQuote
			continue
		}
		place[p.ID] = len(out)
		v := video{ID: p.ID, URL: p.URL, Author: p.Author, Text: p.Text, PostedAt: p.PostedAt.Format(time.RFC3339Nano),
			Width: p.Clip.Width, Height: p.Clip.Height, Quoted: isQuote}
		if p.Hints {
			ms := int(p.Clip.Seconds * 1000)
			v.DurationMS = &ms
		}
		out = append(out, v)
	}
	return out
}

// lastSegment is the post's id whatever host and author the link names.
func lastSegment(u string) string {
	u, _, _ = strings.Cut(u, "?")
	u = strings.TrimSuffix(u, "/")
	return u[strings.LastIndex(u, "/")+1:]
}

// spend takes one call from the budget; otherwise it says how long to wait.
func (s *Server) spend(now time.Time) time.Duration {
	if s.script.CallsPerReset <= 0 {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trim(now)
	if len(s.windows) >= s.script.CallsPerReset {
		return s.windows[0].Add(s.window()).Sub(now)
	}
	s.windows = append(s.windows, now)
	return 0
}

// spares reports whether a search is made for a goal that so many polls have seen and that is not certain yet.
func (s *Server) spares(sightings int) bool {
	used, _, _ := s.budget(time.Now())
	return sightings == 2 && (s.script.CallsPerReset <= 0 || 2*used < s.script.CallsPerReset)
}

func (s *Server) budget(now time.Time) (used, left int, reset time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trim(now)
	used = len(s.windows)
	reset = now
	if used > 0 {
		reset = s.windows[0].Add(s.window())
	}
	return used, max(0, s.script.CallsPerReset-used), reset
}

func (s *Server) trim(now time.Time) {
	for len(s.windows) > 0 && now.Sub(s.windows[0]) > s.window() {
		s.windows = s.windows[1:]
	}
}

func (s *Server) window() time.Duration {
	return time.Duration(s.script.ResetMinutes / s.day.Scale() * float64(time.Minute))
}

// parseSince reads RFC 3339 or unix seconds or milliseconds; absent = no floor.
func parseSince(raw json.RawMessage) (time.Time, error) {
	text := strings.Trim(string(raw), `"`)
	if text == "" || text == "null" {
		return time.Time{}, nil
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		if n > 1e11 {
			n /= 1000
		}
		return time.UnixMilli(int64(n * 1000)), nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}, fmt.Errorf("since %q is neither RFC 3339 nor unix time", text)
	}
	return t, nil
}

func write(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // the client went away: nobody to tell
}
