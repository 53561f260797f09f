package web

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/store"
)

type searchBody struct {
	Query    string        `json:"query"`
	Fixtures []fixtureView `json:"fixtures"`
	Next     string        `json:"next_cursor,omitempty"`
}

// searchable reports whether a text holds anything to search for: punctuation alone would match everything.
func searchable(text string) bool { return len(text) <= 200 && store.Fold(text) != "" }

// find is the search of page and API: every word must occur in a team, league or scorer name. Newest first; next is
// where the following page begins.
func (s *Server) find(ctx context.Context, text string, zone *time.Location, after cursor, limit int) (out []fixtureView, next string, err error) {
	list, err := s.opt.Store.List(ctx, store.FixtureQuery{Text: text})
	if err != nil {
		return nil, "", err
	}
	out = []fixtureView{}
	var last cursor
	for i := len(list) - 1; i >= 0; i-- {
		at := cursor{list[i].Match.Kickoff, list[i].ID}
		if after.id != 0 && !at.before(after) {
			continue
		}
		if len(out) == limit {
			return out, last.String(), nil
		}
		out, last = append(out, viewFixture(&list[i], zone)), at
	}
	return out, "", nil
}

func (s *Server) apiSearch(w http.ResponseWriter, r *http.Request) {
	text := strings.TrimSpace(r.URL.Query().Get("q"))
	if !searchable(text) {
		s.fail(w, r, footy.Errorf(footy.CodeInvalid, "search", "q must hold a word to search for, in at most 200 bytes"))
		return
	}
	limit, err := parseLimit(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	after, err := parseCursor(r.URL.Query().Get("cursor"))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	found, next, err := s.find(r.Context(), text, zoneOf(r), after, limit)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	addVary(w.Header(), "Cookie")
	s.reply(w, r, http.StatusOK, searchBody{text, found, next})
}
