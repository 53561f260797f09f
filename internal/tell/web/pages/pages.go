// Package pages is what people see: the day, a goal with its story, search, health, what waits, and the operator's forms.
package pages

import (
	"context"
	"embed"
	"log/slog"
	"time"

	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/web/actions"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/pages/frame"
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
	Frame         *frame.Frame
	AddedWorker   string // what parts add to the service worker
	Hub           *stream.Hub
	Notifications Notifications // nil: none are set up
	Setup         Setup         // nil: something is set
	Door          *session.Door // of Setup
	Timing        explain.Timing
	Now           func() time.Time
	Log           *slog.Logger
}

//go:embed templates assets
var files embed.FS

// Server renders pages.
type Server struct {
	Options
	pages   *frame.Pages
	started time.Time
}

// New reads the embedded templates.
func New(opt Options) (*Server, error) {
	pages, err := opt.Frame.Add(files)
	return &Server{Options: opt, pages: pages, started: opt.Now()}, err
}

func (s *Server) targets() []string {
	if s.Notifications == nil {
		return nil
	}
	return s.Notifications.Targets()
}
