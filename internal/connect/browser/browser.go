// Package browser is the search service: it owns one logged-in Chromium, the budget of its X account and the session, and
// answers searches from the SearchTimeline responses that the page itself loads. It never logs in by itself: X refuses
// that, so a person brings cookies or logs in by hand.
//
// An account is a state machine (package account). Its events are what browsers, pages and people do; Service.step is the one place that
// acts on them: it ends the browser that lost the profile and tells a person. What takes time (starting a browser, checking the login) is
// done by one at a time, under Service.acting, and ends in an event.
package browser

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/connect/browser/account"
	"github.com/found-footy/found-footy/internal/connect/browser/cookie"
	"github.com/found-footy/found-footy/internal/connect/browser/quota"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
)

// Service is the one owner of an account's browser.
type Service struct {
	opts    Options
	host    string // whose cookies are ours
	path    string // X is mounted under
	quota   *quota.Quota
	tabs    chan struct{} // one token per search under way
	permits chan struct{} // one token per permit
	screen  screen

	acting sync.Mutex // one start or check at a time, while mu stays free for those who only look

	mu       sync.Mutex
	account  account.State
	chrome   *chrome         // the driven browser, while it has the profile
	manual   *manualBrowser  // the person's browser, once it is open
	saved    []cookie.Cookie // what the cookie file holds
	until    time.Time       // when the session cookie expires
	promised int             // calls of the budget that are promised to permits whose search has not begun
	needed   time.Time       // when a match needed the browser last
}

// New makes a service; zero options take their defaults. Nothing is started before Serve or the first search.
func New(opts Options) *Service {
	opts = opts.withDefaults()
	s := &Service{opts: opts, tabs: make(chan struct{}, opts.Tabs), permits: make(chan struct{}, opts.Tabs), quota: quota.New(opts.Budget, opts.Scale, opts.Scrolls),
		account: account.State{Login: source.LoginUnknown}}
	if u, err := url.Parse(opts.BaseURL); err == nil {
		s.host, s.path = u.Hostname(), u.Path
	}
	return s
}

// Serve serves until ctx ends, then closes the browser. It returns nil after an orderly end.
func (s *Service) Serve(ctx context.Context, l net.Listener) error {
	defer s.Close()
	srv := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second, BaseContext: func(net.Listener) context.Context { return ctx }}
	var background sync.WaitGroup
	background.Go(func() { s.Authenticate(ctx) })
	stop := context.AfterFunc(ctx, func() { _ = srv.Close() })
	defer stop()
	err := srv.Serve(l)
	background.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return footy.Wrap(footy.CodeUnavailable, "serve searches", err)
}

func (s *Service) budget() quota.State { return s.quota.Budget.State(s.opts.Now()) }

// Close ends the browsers; nothing is started after it.
func (s *Service) Close() { s.happened(account.Event{Kind: account.Closed}) }

// Need says whether a match needs the browser, which takes most of an idle machine's memory. An hour after the last one did it is closed,
// unless it is at work; it is there, its login checked, as soon as one does again. A search meanwhile starts it.
func (s *Service) Need(ctx context.Context, needed bool) {
	now := s.opts.Now()
	s.mu.Lock()
	long := now.Sub(s.needed) >= time.Duration(float64(time.Hour)/s.opts.Scale)
	if needed {
		s.needed = now
	}
	s.mu.Unlock()
	switch {
	case needed && long:
		s.Authenticate(ctx)
	case long && len(s.tabs) == 0 && s.acting.TryLock(): // a search that begins this moment is made again
		s.happened(account.Event{Kind: account.Rested})
		s.acting.Unlock()
	}
}

// Options of the service; zero ones take their defaults.
type Options struct {
	BaseURL  string // of X
	Dir      string // state: profile, cookie file, samples of the canary
	Chromium string // program
	Headless bool   // the automated browser has no window, also where there is a screen in memory
	Tabs     int    // searches at once
	Scrolls  int    // further pages of one search, each may cost a call; negative = none

	Budget        quota.Options
	Scale         float64       // TIME_SCALE: divides the intervals below that are the product's own, never time-outs
	SearchTimeout time.Duration // from opening the page to its first answer
	ScrollTimeout time.Duration // from scrolling to the next answer
	TabWait       time.Duration // that a search waits for a tab before it is told to come again
	Recheck       time.Duration // between two looks whether a person has logged in
	CanaryQuery   string

	Token string // what everybody must send who asks over HTTP; "" = the service is for this machine alone

	Display string // X display of the machine, as in DISPLAY, for the browser of a person; Desktop = windows need none here; "" = none
	VNC     bool   // serve that browser through noVNC where there is no display
	VNCAddr string
	VNCURL  string // where a person opens that page; "" = at VNCAddr

	Notify func(Notice) // called once per change that a person should hear of; nil = nobody
	Log    *slog.Logger
	Now    func() time.Time
}

// Desktop stands for a display on systems whose windows need no name of one.
const Desktop = "desktop"

// Notice is something a person should hear of.
type Notice = account.Notice

func (o Options) withDefaults() Options {
	o.BaseURL, o.Chromium = strings.TrimRight(cmp.Or(o.BaseURL, "https://x.com"), "/"), cmp.Or(o.Chromium, "chromium")
	o.CanaryQuery, o.VNCAddr = cmp.Or(o.CanaryQuery, "(goal OR gol)"), cmp.Or(o.VNCAddr, "127.0.0.1:3203")
	if o.Dir != "" {
		if abs, err := filepath.Abs(o.Dir); err == nil {
			o.Dir = abs // Chromium takes a relative profile from elsewhere
		}
	}
	o.Tabs, o.Scrolls, o.Scale = cmp.Or(max(o.Tabs, 0), 2), cmp.Or(o.Scrolls, 3), max(o.Scale, 1)
	o.SearchTimeout, o.ScrollTimeout = cmp.Or(o.SearchTimeout, 30*time.Second), cmp.Or(o.ScrollTimeout, 8*time.Second)
	o.TabWait, o.Recheck = cmp.Or(o.TabWait, 10*time.Second), cmp.Or(o.Recheck, time.Minute)
	if o.Budget.Window <= 0 {
		o.Budget.Window = time.Duration(float64(quota.Window) / o.Scale)
	}
	if o.Notify == nil {
		o.Notify = func(Notice) {}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// happened takes the machine a step on and acts on it: what no longer has the profile is ended, and a person is told.
func (s *Service) happened(e account.Event) { s.step(e, nil) }

// step is happened for a browser: that a Chromium died says nothing of the one that was started after it, and one that has started
// may have come too late. It reports whether the state changed.
func (s *Service) step(e account.Event, c *chrome) bool {
	s.mu.Lock()
	if e.Kind == account.Died && c != s.chrome {
		s.mu.Unlock()
		return false
	}
	before := s.account.Has
	var tell *Notice
	s.account, tell = s.account.Next(e, s.opts.Now())
	has := s.account.Has
	var out *chrome
	var window *manualBrowser
	switch {
	case has == before:
	case has == account.Searches:
		s.chrome = c
	case before == account.Searches:
		out, s.chrome = s.chrome, nil
	case before == account.Person:
		window, s.manual = s.manual, nil
	}
	s.mu.Unlock()
	if out != nil {
		out.close()
	}
	if window != nil {
		window.end()
	}
	if e.Kind == account.Closed {
		s.screen.end()
	}
	if tell != nil {
		s.opts.Notify(*tell)
	}
	return has != before
}

func (s *Service) state() account.State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.account
}
