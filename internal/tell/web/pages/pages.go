// Package pages is what people see: the day, a goal with its story, search, health, what waits, and the operator's forms.
package pages

import (
	"context"
	"html/template"
	"log/slog"
	"time"

	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/web/actions"
	"github.com/found-footy/found-footy/internal/tell/web/answer/cache"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/session"
	"github.com/found-footy/found-footy/internal/tell/web/stream"
)

// Notifications tell people outside of the page.
type Notifications interface {
	// Targets lists what is set up, without secrets.
	Targets() []string
	// TestOne tries one target, by its place in Targets, and says what it did.
	TestOne(ctx context.Context, place int) (did string, err error)
}

// Options of the pages.
type Options struct {
	Reader        *lookup.Reader
	Actions       *actions.Actions
	Operators     *session.Operators
	Site          session.Site
	Hub           *stream.Hub
	Notifications Notifications // nil: none are set up
	Setup         Setup         // nil: something is set
	Door          *session.Door // of Setup
	Timing        explain.Timing
	Now           func() time.Time
	Log           *slog.Logger
}

// Server renders pages.
type Server struct {
	Options
	pages    map[string]*template.Template
	assets   *assetSet
	fixtures *cache.Cache // rendered
	started  time.Time
}

// renderedFixtures bounds the rendered fixtures that are kept.
const renderedFixtures = 4000

// New parses the embedded templates.
func New(opt Options) (*Server, error) {
	set, err := loadAssets()
	if err != nil {
		return nil, err
	}
	s := &Server{Options: opt, assets: set, started: opt.Now(),
		fixtures: cache.New(cache.Options{Limit: renderedFixtures, Patience: time.Minute, Now: time.Now})}
	s.pages, err = s.parse()
	return s, err
}

// Version of the assets.
func (s *Server) Version() string { return s.assets.version }

func (s *Server) targets() []string {
	if s.Notifications == nil {
		return nil
	}
	return s.Notifications.Targets()
}
