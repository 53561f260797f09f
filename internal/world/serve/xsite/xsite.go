// Package xsite is the simulated X website: login, home, and a search page that loads its results from SearchTimeline as
// the real page does: over XHR, page by page, with rate limits, failures and sessions that end.
package xsite

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Kind is what a post carries.
type Kind string

// The kinds. Quoted ones have a video only inside the post they quote; promoted ones are advertisements.
const (
	Video    Kind = "video"
	Quoted   Kind = "quoted"
	GIF      Kind = "gif"
	Photo    Kind = "photo"
	Text     Kind = "text"
	Promoted Kind = "promoted"
)

// Post is one post as the site shows it. The id must be a snowflake.
type Post struct {
	ID         string
	Author     string
	Text       string
	At         time.Time
	Kind       Kind // "" = Video
	DurationMS int  // 0 = the answer does not say
	Width      int
	Height     int
	VideoURL   string
	Quotes     *Post // of a quoted post: what it quotes, as that stands on X itself
}

// Fault is what goes wrong with one SearchTimeline call.
type Fault string

// The faults.
const (
	None        Fault = ""
	RateLimited Fault = "rate_limited" // 429 with reset
	ErrorBody   Fault = "error_body"   // 200 with errors and data {}
	Unavailable Fault = "unavailable"  // 503
	Hang        Fault = "hang"         // no answer until the page gives up
	LoggedOut   Fault = "logged_out"   // the session ends with this call
	Locked      Fault = "locked"       // X wants a person to look at the account
	Drift       Fault = "drift"        // an answer in a shape nobody knows
)

// Options of the site.
type Options struct {
	Prefix   string                                     // path the site is mounted under, "" = root
	Search   func(query string) []Post                  // newest first
	PageSize int                                        // posts of a page; 0 = 20
	Calls    int                                        // SearchTimeline calls of a session in a window; 0 = 50
	Window   time.Duration                              // 0 = 15 min
	Fault    func(call int, query, cursor string) Fault // call counts from 1; nil = none
	Page     func(path string) Fault                    // what goes wrong with a page itself: Unavailable or Hang; nil = none
	Out      func() bool                                // whether every session is refused for now; nil = never
	Renew    bool                                       // every answer renews the session's ct0
	Sessions []string                                   // values of auth_token that are logged in from the start
	Users    map[string]string                          // who a session belongs to where that is not User
}

// Site is the handler.
type Site struct {
	opts Options
	mux  *http.ServeMux

	mu       sync.Mutex
	sessions map[string]string // auth_token -> ct0
	locked   bool
	calls    int
	windows  map[string]*window
	requests []Call
}

type window struct {
	used  int
	reset time.Time
}

// Call is one SearchTimeline call that was answered.
type Call struct {
	Query  string
	Cursor string
	Status int
}

// New makes a site.
func New(o Options) *Site {
	o.PageSize = cmp.Or(max(o.PageSize, 0), 20)
	o.Calls = cmp.Or(max(o.Calls, 0), 50)
	o.Window = cmp.Or(max(o.Window, 0), 15*time.Minute)
	if o.Search == nil {
		o.Search = func(string) []Post { return nil }
	}
	if o.Fault == nil {
		o.Fault = func(int, string, string) Fault { return None }
	}
	if o.Page == nil {
		o.Page = func(string) Fault { return None }
	}
	if o.Out == nil {
		o.Out = func() bool { return false }
	}
	o.Prefix = strings.TrimRight(o.Prefix, "/")
	s := &Site{opts: o, mux: http.NewServeMux(), sessions: map[string]string{}, windows: map[string]*window{}}
	for _, token := range o.Sessions {
		s.sessions[token] = CSRF(token)
	}
	s.mux.HandleFunc("GET /{$}", s.home)
	s.mux.HandleFunc("GET /home", s.home)
	s.mux.HandleFunc("GET /search", s.search)
	s.mux.HandleFunc("GET /login", s.login)
	s.mux.HandleFunc("GET /i/flow/login", s.login)
	s.mux.HandleFunc("POST /i/flow/login", s.enter)
	s.mux.HandleFunc("GET /account/access", s.access)
	s.mux.HandleFunc("POST /logout", s.leave)
	s.mux.HandleFunc("GET /i/api/graphql/{hash}/SearchTimeline", s.timeline)
	return s
}

// ServeHTTP answers below the prefix.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	http.StripPrefix(s.opts.Prefix, s.mux).ServeHTTP(w, r)
}

// Calls lists the SearchTimeline calls so far.
func (s *Site) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Call(nil), s.requests...)
}

// Expire ends every session, as X does when a password changes.
func (s *Site) Expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.sessions)
}

// Lock makes X ask for a person until Unlock: a captcha, a code.
func (s *Site) Lock() { s.lock(true) }

// Unlock is what the person achieves.
func (s *Site) Unlock() { s.lock(false) }

func (s *Site) lock(locked bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.locked = locked
}

// Admit logs a session in, as if a person had done so elsewhere and brought its cookies.
func (s *Site) Admit(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions[token] = CSRF(token)
}

// CSRF is the ct0 cookie that belongs to a session given in Options.
func CSRF(token string) string { return "csrf-" + token }

// User is who a session belongs to, unless Options say otherwise.
const User = "simulated_fan"

func (s *Site) loggedIn(r *http.Request) (token string, ok bool) {
	c, err := r.Cookie("auth_token")
	if err != nil || s.opts.Out() {
		return "", false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok = s.sessions[c.Value]
	return c.Value, ok
}

// enter logs a person in: any name with a password will do here.
func (s *Site) enter(w http.ResponseWriter, r *http.Request) {
	if r.PostFormValue("username") == "" || r.PostFormValue("password") == "" {
		http.Redirect(w, r, s.opts.Prefix+"/i/flow/login", http.StatusSeeOther)
		return
	}
	token := random()
	s.mu.Lock()
	s.sessions[token] = random()
	csrf := s.sessions[token]
	s.mu.Unlock()
	year := time.Now().AddDate(1, 0, 0)
	http.SetCookie(w, &http.Cookie{Name: "auth_token", Value: token, Path: "/", HttpOnly: true, Expires: year})
	http.SetCookie(w, &http.Cookie{Name: "ct0", Value: csrf, Path: "/", Expires: year})
	http.Redirect(w, r, s.opts.Prefix+"/home", http.StatusSeeOther)
}

func (s *Site) leave(w http.ResponseWriter, r *http.Request) {
	if token, ok := s.loggedIn(r); ok {
		s.mu.Lock()
		delete(s.sessions, token)
		s.mu.Unlock()
	}
	http.Redirect(w, r, s.opts.Prefix+"/login", http.StatusSeeOther)
}

func random() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
