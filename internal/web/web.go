// Package web serves people and programs: the day, the goal page with its story, clips, share pages, the JSON API and
// the live stream. It reads the store and never decides anything; what changes the world goes through Commands.
package web

import (
	"context"
	"html/template"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/blob"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/store"
)

// Store is what the pages read; store.Store satisfies it.
type Store interface {
	Fixture(ctx context.Context, id int64) (footy.Fixture, error)
	List(ctx context.Context, q store.FixtureQuery) ([]footy.Fixture, error)
	FixtureOfEvent(ctx context.Context, eventID string) (footy.Fixture, error)
	Entries(ctx context.Context, q store.LogQuery) ([]footy.Entry, error)
	Posts(ctx context.Context, q store.PostQuery) ([]footy.Post, error)
	Tombstones(ctx context.Context) ([]footy.Tombstone, error)
	Ping(ctx context.Context) error
}

// Options wire the server. Store and Blob are required.
type Options struct {
	Store         Store
	Blob          blob.Store
	Health        HealthSource  // nil: the health page says that nothing is watched
	Commands      Commands      // nil: read only, no admin actions
	Notifications Notifications // nil: none are set up
	Logos         Logos         // nil: drawn badges only
	AdminToken    string        // "" switches admin actions off
	NotifyToken   string        // "" refuses POST /api/v1/internal/notify
	BaseURL       string        // public address for share links, e.g. https://footy.example; "" = as requested
	Addr          string        // the listener's; on loopback without BaseURL only names of this machine are served
	NoEngine      bool          // Commands cannot start a search
	Version       string
	Now           func() time.Time
	Logger        *slog.Logger
	Observe       func(Observed) // nil: nobody counts
	Timing        Timing         // the engine's, for telling people what to expect; zero: the product's own
}

// Server renders pages and answers the API.
type Server struct {
	opt    Options
	log    *slog.Logger
	now    func() time.Time
	hub    *Hub
	pages  map[string]*template.Template
	assets *assetSet
	cache  *cache
	cards  *cards
	admin  *gatekeeper
	start  time.Time
}

// New checks the options and parses the embedded templates.
func New(opt Options) (*Server, error) {
	if opt.Store == nil || opt.Blob == nil {
		return nil, footy.Errorf(footy.CodeInvalid, "make web server", "Store and Blob are required")
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Logger == nil {
		opt.Logger = slog.New(slog.DiscardHandler)
	}
	if opt.Timing == (Timing{}) {
		opt.Timing = DefaultTiming()
	}
	opt.BaseURL = strings.TrimRight(opt.BaseURL, "/")
	set, err := loadAssets()
	if err != nil {
		return nil, err
	}
	s := &Server{opt: opt, log: opt.Logger.With("module", "web"), now: opt.Now, assets: set, start: opt.Now()}
	s.hub = NewHub()
	s.cache, s.cards = newCache(s.hub.Generation), newCards()
	s.admin = newGatekeeper(opt.AdminToken, opt.Now)
	if s.pages, err = parsePages(s); err != nil {
		return nil, err
	}
	return s, nil
}

// Hub is where the process announces what changed.
func (s *Server) Hub() *Hub { return s.hub }

// Close ends all live streams, so that an http.Server can shut down.
func (s *Server) Close() { s.hub.Close() }

// Handler is the whole web side.
func (s *Server) Handler() http.Handler { return s.guard(s.observe(s.routes())) }
