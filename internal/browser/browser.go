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

	"github.com/found-footy/found-footy/internal/browser/budget"
	"github.com/found-footy/found-footy/internal/browser/ration"
	"github.com/found-footy/found-footy/internal/browser/share"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/source/searchapi"
)

// Service is the one owner of an account's browser.
type Service struct {
	opts    Options
	host    string // whose cookies are ours
	budget  *budget.Budget
	ration  *ration.Ration
	session session
	counts  counts
	tabs    chan struct{} // one token per search under way

	starting sync.Mutex // one browser starts at a time, while mu stays free for those who only look

	mu     sync.Mutex
	chrome *chrome
	plain  *plain // a person is logging in: the profile is theirs
	by     bool   // a person had the profile: its cookies are newer than the file's
	closed bool
	canary *searchapi.Canary
}

// New makes a service; zero options take their defaults. Nothing is started before Run or the first search.
func New(opts Options) *Service {
	opts = opts.withDefaults()
	b := budget.New(opts.Budget)
	s := &Service{opts: opts, budget: b, tabs: make(chan struct{}, opts.Tabs),
		ration: &ration.Ration{Budget: b, Desk: share.New(opts.Scale), Scrolls: opts.Scrolls}}
	if u, err := url.Parse(opts.BaseURL); err == nil {
		s.host = u.Hostname()
	}
	s.session.now, s.session.notify = opts.Now, opts.Notify
	return s
}

// Run serves until ctx ends, then closes the browser. It returns nil after an orderly end.
func (s *Service) Run(ctx context.Context) error {
	if err := s.opts.Validate(); err != nil {
		return err
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", s.opts.Addr)
	if err != nil {
		return footy.Errorf(footy.CodeUnavailable, "serve searches", "%w; another search service may be running, choose another address", err)
	}
	return s.Serve(ctx, l)
}

// Serve is Run on a listener of the caller's.
func (s *Service) Serve(ctx context.Context, l net.Listener) error {
	if err := s.opts.Validate(); err != nil {
		return errors.Join(err, l.Close())
	}
	defer s.Close()
	srv := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second, BaseContext: func(net.Listener) context.Context { return ctx }}
	var background sync.WaitGroup
	background.Go(func() { s.Authenticate(ctx) })
	background.Go(func() { s.watch(ctx) })
	stop := context.AfterFunc(ctx, func() { _ = srv.Close() })
	defer stop()
	err := srv.Serve(l)
	background.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return footy.Wrap(footy.CodeUnavailable, "serve searches", err)
}

// Close ends the browsers, for good.
func (s *Service) Close() {
	s.mu.Lock()
	c, p := s.chrome, s.plain
	s.chrome, s.plain, s.closed = nil, nil, true
	s.mu.Unlock()
	if p != nil {
		p.close()
	}
	if c != nil {
		c.close()
	}
}
