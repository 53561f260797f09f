package pages

import (
	"net/http"

	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
	"github.com/found-footy/found-footy/internal/tell/web/pages/frame"
)

type errorPage struct {
	frame.Base
	Status  int
	Heading string
	Message string
	Event   *view.Event
	Fixture *view.Fixture
	Removed bool
}

// Error shows a failure.
func (s *Server) Error(w http.ResponseWriter, r *http.Request, e *answer.Error) {
	p := errorPage{Base: s.Frame.Base(r, http.StatusText(e.Status)), Status: e.Status, Message: e.Message, Heading: heading(e.Status)}
	if e.Event != nil {
		goal, match := view.EventOf(e.Fixture, e.Event), view.FixtureOf(e.Fixture, lookup.Zone(r))
		p.Event, p.Fixture, p.Removed = &goal, &match, e.Event.Removed
	}
	_ = s.pages.Send(w, r, e.Status, "error", p)
}

func heading(status int) string {
	switch status {
	case http.StatusNotFound:
		return "Nothing here"
	case http.StatusGone:
		return "No longer there"
	case http.StatusServiceUnavailable:
		return "Cannot look right now"
	case http.StatusUnauthorized:
		return "Operators only"
	}
	return http.StatusText(status)
}
