package meter

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/decide/clip/stats"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/prometheus/client_golang/prometheus"
)

const (
	around  = 36 * time.Hour  // fixtures of these hours are "today" wherever the reader lives
	patient = 5 * time.Second // of a scrape with a slow database
)

// windows are those that alerts compare: a long one says that it matters, a short one that it still goes on.
func windows() map[string]time.Duration {
	return map[string]time.Duration{"30m": 30 * time.Minute, "2h": 2 * time.Hour, "6h": 6 * time.Hour, "1d": 24 * time.Hour}
}

// goals counts what the database says now, so that several processes agree and a restart loses nothing.
type goals struct {
	from                          store.Fixtures
	now                           func() time.Time
	objective                     stats.Objective
	goals, fixtures, share, fared *prometheus.Desc
}

// Goals makes a collector of the goals by status and the fixtures by stage around now, and of how the objective fares.
func Goals(from store.Fixtures, objective stats.Objective, now func() time.Time) prometheus.Collector {
	return &goals{from: from, now: now, objective: objective,
		share:    prometheus.NewDesc("footy_objective_share", "Share of the goals that should have a verified clip in time, 0 to 1.", nil, nil),
		fared:    prometheus.NewDesc("footy_objective_goals", "Goals whose time for a verified clip ended within the window, by result: met or missed.", []string{"window", "result"}, nil),
		goals:    prometheus.NewDesc("footy_goals", "Goals of matches that kicked off within 36 hours of now, by status.", []string{"status"}, nil),
		fixtures: prometheus.NewDesc("footy_fixtures", "Matches that kick off within 36 hours of now, by stage.", []string{"stage"}, nil)}
}

// Describe implements prometheus.Collector.
func (g *goals) Describe(out chan<- *prometheus.Desc) {
	out <- g.goals
	out <- g.fixtures
	out <- g.share
	out <- g.fared
}

// Collect implements prometheus.Collector. A database that does not answer fails the scrape: zero would be a lie.
func (g *goals) Collect(out chan<- prometheus.Metric) {
	now := g.now()
	out <- prometheus.MustNewConstMetric(g.share, prometheus.GaugeValue, g.objective.Share)
	ctx, cancel := context.WithTimeout(context.Background(), patient)
	defer cancel()
	list, err := g.from.List(ctx, store.FixtureQuery{From: now.Add(-around), To: now.Add(around)})
	if err != nil {
		out <- prometheus.NewInvalidMetric(g.goals, err)
		return
	}
	byStatus := map[footy.EventStatus]int{footy.StatusValidating: 0, footy.StatusExtracting: 0, footy.StatusWatching: 0, footy.StatusComplete: 0, footy.StatusRemoved: 0}
	byStage := map[footy.Stage]int{footy.StageStaging: 0, footy.StageActive: 0, footy.StageCompleted: 0}
	for i := range list {
		byStage[list[i].Stage]++
		for j := range list[i].Events {
			byStatus[list[i].Events[j].Status()]++
		}
	}
	for status, n := range byStatus {
		out <- prometheus.MustNewConstMetric(g.goals, prometheus.GaugeValue, float64(n), string(status))
	}
	for stage, n := range byStage {
		out <- prometheus.MustNewConstMetric(g.fixtures, prometheus.GaugeValue, float64(n), string(stage))
	}
	for name, d := range windows() {
		k := g.objective.Over(list, now.Add(-d), now)
		out <- prometheus.MustNewConstMetric(g.fared, prometheus.GaugeValue, float64(k.Met), name, "met")
		out <- prometheus.MustNewConstMetric(g.fared, prometheus.GaugeValue, float64(k.Missed), name, "missed")
	}
}
