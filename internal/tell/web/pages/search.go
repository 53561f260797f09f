package pages

import (
	"net/http"
	"strings"

	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
	"github.com/found-footy/found-footy/internal/tell/web/pages/frame"
)

type searchPage struct {
	frame.Base
	Query    string
	Fixtures []view.Fixture
	More     string // where the next page begins
	TooLong  bool
	NoWord   bool // only punctuation: there is nothing to search for
}

// Search lists the matches whose teams, competition or scorers have a word.
func (s *Server) Search(w http.ResponseWriter, r *http.Request) error {
	p := searchPage{Base: s.Frame.Base(r, "Search"), Query: strings.TrimSpace(r.URL.Query().Get("q"))}
	p.TooLong = len(p.Query) > 200
	p.NoWord = p.Query != "" && !p.TooLong && !lookup.Searchable(p.Query)
	if p.Query != "" && lookup.Searchable(p.Query) {
		after, err := lookup.ParseCursor(r.URL.Query().Get("cursor"))
		if err != nil {
			return err
		}
		found, next, err := s.Reader.Search(r.Context(), p.Query, lookup.Zone(r), after, lookup.PageSize)
		if err != nil {
			return err
		}
		p.Fixtures, p.More = found, next
		p.Title = p.Query + " · Search"
	}
	return s.pages.Send(w, r, http.StatusOK, "search", p)
}
