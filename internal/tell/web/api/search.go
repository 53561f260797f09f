package api

import (
	"net/http"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
)

type searchBody struct {
	Query    string         `json:"query"`
	Fixtures []view.Fixture `json:"fixtures"`
	Next     string         `json:"next_cursor,omitempty"`
}

// Search finds matches by team, competition or scorer.
func (s *Server) Search(w http.ResponseWriter, r *http.Request) error {
	text := strings.TrimSpace(r.URL.Query().Get("q"))
	if !lookup.Searchable(text) {
		return footy.Errorf(footy.CodeInvalid, "search", "q must hold a word to search for, in at most 200 bytes")
	}
	after, err := lookup.ParseCursor(r.URL.Query().Get("cursor"))
	if err != nil {
		return err
	}
	found, next, err := s.Reader.Search(r.Context(), text, lookup.Zone(r), after, limitOf(r))
	if err != nil {
		return err
	}
	answer.Vary(w.Header(), "Cookie")
	return answer.JSON(w, r, http.StatusOK, searchBody{text, found, next})
}
