// Package pages is what people see: the day, a goal with its story, search, health, what waits, and the operator's forms.
package pages

import (
	"cmp"
	"embed"
	"log/slog"
	"net/http"
	"time"

	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/teller"
	"github.com/found-footy/found-footy/internal/tell/web/actions"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
	"github.com/found-footy/found-footy/internal/tell/web/pages/frame"
	"github.com/found-footy/found-footy/internal/tell/web/session"
	"github.com/found-footy/found-footy/internal/tell/web/stream"
)

// Options of the pages.
type Options struct {
	Reader        *lookup.Reader
	Actions       *actions.Actions
	Operators     *session.Operators
	Site          session.Site
	Frame         *frame.Frame
	AddedWorker   string // what parts add to the service worker
	Hub           *stream.Hub
	Notifications []teller.Teller // what can be tried
	Setup         Setup           // nil: this process changes no settings
	Door          *session.Door   // of Setup
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

type errorPage struct {
	frame.Base
	*answer.Error
	Event   *view.Event
	Fixture *view.Fixture
	Removed bool
}

// Error shows a failure.
func (s *Server) Error(w http.ResponseWriter, r *http.Request, e *answer.Error) {
	p := errorPage{Base: s.Frame.Base(r, heading(e.Status)), Error: e}
	if e.Event != nil {
		goal, match := view.EventOf(e.Fixture, e.Event), view.FixtureOf(e.Fixture, lookup.Zone(r))
		p.Event, p.Fixture, p.Removed = &goal, &match, e.Event.Removed
	}
	_ = s.pages.Send(w, r, e.Status, "error", p)
}

func heading(status int) string {
	return cmp.Or(map[int]string{
		http.StatusNotFound: "Nothing here", http.StatusGone: "No longer there", http.StatusServiceUnavailable: "Cannot look right now",
		http.StatusUnauthorized: "Operators only",
	}[status], http.StatusText(status))
}
