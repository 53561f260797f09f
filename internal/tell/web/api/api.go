// Package api serves programs: the JSON API with its OpenAPI document, oEmbed and RSS.
package api

import (
	_ "embed"
	"net/http"

	"github.com/found-footy/found-footy/internal/tell/push"
	"github.com/found-footy/found-footy/internal/tell/web/actions"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/session"
)

//go:embed openapi.json
var openAPI []byte

// Server answers the API.
type Server struct {
	Reader    *lookup.Reader
	Actions   *actions.Actions
	Operators *session.Operators
	Site      session.Site
	Push      *push.Service              // nil: no device is told
	Visitor   func(*http.Request) string // who asks
}

// OpenAPI describes the API.
func (s *Server) OpenAPI(w http.ResponseWriter, r *http.Request) error {
	answer.New(http.StatusOK, "application/json; charset=utf-8", openAPI).Send(w, r)
	return nil
}

// Health reports the state of each part; why, and what to do, to operators.
func (s *Server) Health(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Cache-Control", "no-store")
	h, err := s.Reader.RecentHealth(r.Context())
	if err != nil {
		return err
	}
	answer.Vary(w.Header(), "Cookie")
	answer.Vary(w.Header(), "Authorization")
	if !s.Operators.Sees(r) {
		h = h.Public()
	}
	return answer.JSON(w, r, http.StatusOK, h)
}
