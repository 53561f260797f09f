package web

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/health"
	"github.com/found-footy/found-footy/internal/rule/coverage"
)

func (s *Server) apiHealth(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	h, err := s.recentHealth(r.Context())
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.reply(w, r, http.StatusOK, h)
}

// recentHealth holds for some seconds: every open page asks now and then.
func (s *Server) recentHealth(ctx context.Context) (health.Report, error) {
	return remember(ctx, s.cache, "health", 5*time.Second, func(ctx context.Context) (health.Report, error) { return s.health(ctx), nil })
}

type coverageBody struct {
	Days []coverageDay `json:"days"`
}

type coverageDay struct {
	Date string `json:"date"`
	coverage.Measure
	Share         float64 `json:"share"`
	MedianSeconds float64 `json:"median_seconds"`
}

// coverageDays measures each of the last 14 days and today, in the reader's zone.
func (s *Server) coverageDays(ctx context.Context, zone *time.Location, days int) ([]coverageDay, error) {
	list, err := s.window(ctx)
	if err != nil {
		return nil, err
	}
	byDay := map[string][]footy.Fixture{}
	for i := range list {
		d := list[i].Match.Kickoff.In(zone).Format(dateForm)
		byDay[d] = append(byDay[d], list[i])
	}
	today := s.now().In(zone)
	out := make([]coverageDay, 0, days)
	for i := days - 1; i >= 0; i-- {
		d := today.AddDate(0, 0, -i).Format(dateForm)
		m := coverage.Of(byDay[d])
		out = append(out, coverageDay{Date: d, Measure: m, Share: m.Share(), MedianSeconds: m.Median.Seconds()})
	}
	return out, nil
}

// together is several days as one; the median is that of all their goals.
func together(days []coverageDay) coverageDay {
	var m coverage.Measure
	for _, d := range days {
		m = m.Plus(d.Measure)
	}
	return coverageDay{Measure: m, Share: m.Share(), MedianSeconds: m.Median.Seconds()}
}

func (s *Server) apiCoverage(w http.ResponseWriter, r *http.Request) {
	days := 15
	if v := r.URL.Query().Get("days"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 || n > 15 {
			s.fail(w, r, footy.Errorf(footy.CodeInvalid, "read days", "days must be a number from 1 to 15"))
			return
		}
		days = n
	}
	out, err := s.coverageDays(r.Context(), zoneOf(r), days)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	addVary(w.Header(), "Cookie")
	s.reply(w, r, http.StatusOK, coverageBody{out})
}
