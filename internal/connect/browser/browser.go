// Package browser is the search service: it owns one logged-in Chromium, the budget of its X account and the session, and
// answers searches from the SearchTimeline responses that the page itself loads. It never logs in by itself: X refuses
// that, so a person brings cookies or logs in by hand.
//
// An account is a state machine (account.go). Its state is who has the browser's profile (no one, the driven browser that searches, a
// person who logs in, or the service has ended) and what is known of the login (not known, ok, none, expired, challenged). Its events are
// what browsers, pages and people do. account.next is its one transition, a pure rule; Service.step is the one place that
// acts on it: it ends the browser that lost the profile and tells a person. What takes time (starting a browser, checking the login) is
// done by one at a time, under Service.acting, and ends in an event.
package browser

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/connect/browser/account"
	"github.com/found-footy/found-footy/internal/connect/browser/cookie"
	"github.com/found-footy/found-footy/internal/connect/browser/quota"
	"github.com/found-footy/found-footy/internal/footy"
)

// Service is the one owner of an account's browser.
type Service struct {
	opts    Options
	host    string // whose cookies are ours
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
}

// New makes a service; zero options take their defaults. Nothing is started before Serve or the first search.
func New(opts Options) *Service {
	opts = opts.withDefaults()
	s := &Service{opts: opts, tabs: make(chan struct{}, opts.Tabs), permits: make(chan struct{}, opts.Tabs), quota: quota.New(opts.Budget, opts.Scale, opts.Scrolls)}
	if u, err := url.Parse(opts.BaseURL); err == nil {
		s.host = u.Hostname()
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

// budget is what is left of the account's calls.
func (s *Service) budget() quota.State { return s.quota.Budget.State(s.opts.Now()) }

// Close ends the browsers; nothing is started after it.
func (s *Service) Close() { s.happened(account.Event{Kind: account.Closed}) }
