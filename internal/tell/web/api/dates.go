package api

import (
	"maps"
	"net/http"
	"slices"

	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
)

type dateBody struct {
	Date string `json:"date"`
	view.Counts
}

// Dates lists the days with matches.
func (s *Server) Dates(w http.ResponseWriter, r *http.Request) error {
	list, err := s.Reader.KeptFixtures(r.Context())
	if err != nil {
		return err
	}
	zone, counts := lookup.Zone(r), map[string]view.Counts{}
	for i := range list {
		date := list[i].Match.Kickoff.In(zone).Format(lookup.DateForm)
		c := counts[date]
		c.Add(view.FixtureOf(&list[i], zone))
		counts[date] = c
	}
	dates := []dateBody{}
	for _, d := range slices.Sorted(maps.Keys(counts)) {
		dates = append(dates, dateBody{d, counts[d]})
	}
	answer.Vary(w.Header(), "Cookie")
	return answer.JSON(w, r, http.StatusOK, map[string]any{"dates": dates})
}
