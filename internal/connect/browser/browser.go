// Package browser is the search service: it owns one logged-in Chromium, the budget of its X account and the session, and
// answers searches from the SearchTimeline responses that the page itself loads. It never logs in by itself: X refuses
// that, so a person brings cookies or logs in by hand.
package browser

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/connect/browser/quota"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/searchapi"
	"github.com/found-footy/found-footy/internal/footy"
)

// Service is the one owner of an account's browser.
type Service struct {
	opts    Options
	host    string // whose cookies are ours
	quota   *quota.Quota
	session session
	metrics metrics
	tabs    chan struct{} // one token per search under way
	permits chan struct{} // one token per permit

	promises sync.Mutex
	promised int // calls of the budget that are promised to permits whose search has not begun

	screen   screen
	starting sync.Mutex // one browser starts at a time, while mu stays free for those who only look

	mu                sync.Mutex
	chrome            *chrome
	last              source.Browser // what the automated browser was when it last started
	manual            *manualBrowser // a person is logging in: the profile is theirs
	personUsedProfile bool           // a person had the profile: its cookies are newer than the file's
	closed            bool
	canary            *searchapi.Canary
}

// New makes a service; zero options take their defaults. Nothing is started before Serve or the first search.
func New(opts Options) *Service {
	opts = opts.withDefaults()
	s := &Service{opts: opts, tabs: make(chan struct{}, opts.Tabs), permits: make(chan struct{}, opts.Tabs), quota: quota.New(opts.Budget, opts.Scale, opts.Scrolls)}
	if u, err := url.Parse(opts.BaseURL); err == nil {
		s.host = u.Hostname()
	}
	s.session.now, s.session.notify = opts.Now, opts.Notify
	s.metrics = newMetrics(s)
	return s
}

// Serve serves until ctx ends, then closes the browser. It returns nil after an orderly end.
func (s *Service) Serve(ctx context.Context, l net.Listener) error {
	if err := s.opts.Validate(); err != nil {
		return errors.Join(err, l.Close())
	}
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
func (s *Service) Close() {
	s.mu.Lock()
	c, p := s.chrome, s.manual
	s.chrome, s.manual, s.closed = nil, nil, true
	s.mu.Unlock()
	if p != nil {
		p.close()
	}
	if c != nil {
		c.close()
	}
	s.screen.end()
}
