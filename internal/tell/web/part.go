package web

import (
	"net/http"

	"github.com/found-footy/found-footy/internal/tell/teller"
	"github.com/found-footy/found-footy/internal/tell/web/actions"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/media"
	"github.com/found-footy/found-footy/internal/tell/web/pages/frame"
	"github.com/found-footy/found-footy/internal/tell/web/session"
)

// Part is what an optional part of the product adds to the page.
type Part struct {
	Routes   []Route
	API      []byte // paths and schemas of the OpenAPI document
	Links    []frame.Link
	Sections []frame.Section
	Worker   string // script that goes behind sw.js
	Tellers  []teller.Teller
}

// Lent is what the page lends to a part.
type Lent struct {
	Reader    *lookup.Reader
	Frame     *frame.Frame
	Media     *media.Server
	Actions   *actions.Actions
	Operators *session.Operators
	Visitor   func(*http.Request) string // names who asks, as the limits count them
}

// add takes in the parts; worker is what their scripts add to the service worker.
func (s *Server) add(parts []func(Lent) (Part, error), lent Lent) (worker string, err error) {
	var described [][]byte
	for _, made := range parts {
		p, err := made(lent)
		if err != nil {
			return "", err
		}
		if p.API != nil {
			described = append(described, p.API)
		}
		s.added = append(s.added, p.Routes...)
		s.frame.Put(p.Links, p.Sections)
		s.tells = append(s.tells, p.Tellers...)
		worker += p.Worker
	}
	return worker, s.api.Describe(described...)
}
