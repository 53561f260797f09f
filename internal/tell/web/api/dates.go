package api

import (
	"context"
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
	zone := s.Reader.ZoneOfKept(lookup.Zone(r))
	return s.Reader.SendCached(w, r, "dates "+zone.String(), func(ctx context.Context) (*answer.Answer, error) {
		list, err := s.Reader.KeptFixtures(ctx)
		if err != nil {
			return nil, err
		}
		counts := map[string]view.Counts{}
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
		return answer.NewJSON(http.StatusOK, map[string]any{"dates": dates})
	})
}
