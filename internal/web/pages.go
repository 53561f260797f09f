package web

import (
	"net/http"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/health"
)

type searchPage struct {
	base
	Query    string
	Fixtures []fixtureView
	More     string // where the next page begins
	TooLong  bool
	NoWord   bool // only punctuation: there is nothing to search for
}

func (s *Server) handleSearchPage(w http.ResponseWriter, r *http.Request) {
	p := searchPage{base: s.base(r, "Search"), Query: strings.TrimSpace(r.URL.Query().Get("q"))}
	p.TooLong = len(p.Query) > 200
	p.NoWord = p.Query != "" && !p.TooLong && !searchable(p.Query)
	if p.Query != "" && searchable(p.Query) {
		after, err := parseCursor(r.URL.Query().Get("cursor"))
		if err != nil {
			s.fail(w, r, err)
			return
		}
		found, next, err := s.find(r.Context(), p.Query, zoneOf(r), after, pageSize)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		p.Fixtures, p.More = found, next
		p.Title = p.Query + " · Search"
	}
	s.render(w, r, http.StatusOK, "search", p)
}

type healthPage struct {
	base
	Health  health.Report
	Trouble []health.Part
	Today   coverageDay
	Past    coverageDay // the 14 days before, as one
	Days    []coverageDay
	Share   plot
	Median  plot
	Readers int
	Dropped uint64
	Up      time.Duration
	NoDays  bool
	Targets []string // who is told outside of the page; for the operator
}

// handleHealthPage must work when nothing else does: a database that is down is what it is there to say.
func (s *Server) handleHealthPage(w http.ResponseWriter, r *http.Request) {
	p := healthPage{base: s.base(r, "Health"), Health: s.health(r.Context()), Readers: s.hub.Readers(), Dropped: s.hub.Dropped(), Up: s.now().Sub(s.start)}
	p.Trouble = health.WorstFirst(p.Health.Parts)
	days, err := s.coverageDays(r.Context(), zoneOf(r), 15)
	if err != nil {
		p.NoDays = true
	} else {
		p.Days, p.Today, p.Past = days, days[len(days)-1], together(days[:len(days)-1])
		p.Share, p.Median = sharePlot(days), medianPlot(days)
	}
	if p.Admin && s.opt.Notifications != nil {
		p.Targets = s.opt.Notifications.Targets()
	}
	w.Header().Set("Cache-Control", "no-store")
	s.render(w, r, http.StatusOK, "health", p)
}
