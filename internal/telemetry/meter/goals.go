package meter

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/store"
	"github.com/prometheus/client_golang/prometheus"
)

// lister is what the counts of goals are read from.
type lister interface {
	List(ctx context.Context, q store.FixtureQuery) ([]footy.Fixture, error)
}

const (
	around  = 36 * time.Hour  // fixtures of these hours are "today" wherever the reader lives
	patient = 5 * time.Second // of a scrape with a slow database
)

// goals counts at each scrape what the database says now, so that several processes agree and a restart loses nothing.
type goals struct {
	from            lister
	now             func() time.Time
	goals, fixtures *prometheus.Desc
}

// Goals makes a collector of the goals by status and the fixtures by stage around now.
func Goals(from lister, now func() time.Time) prometheus.Collector {
	return &goals{from: from, now: now,
		goals:    prometheus.NewDesc("footy_goals", "Goals of matches that kicked off within 36 hours of now, by status.", []string{"status"}, nil),
		fixtures: prometheus.NewDesc("footy_fixtures", "Matches that kick off within 36 hours of now, by stage.", []string{"stage"}, nil)}
}

// Describe implements prometheus.Collector.
func (g *goals) Describe(out chan<- *prometheus.Desc) {
	out <- g.goals
	out <- g.fixtures
}

// Collect implements prometheus.Collector. A database that does not answer fails the scrape: zero would be a lie.
func (g *goals) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), patient)
	defer cancel()
	list, err := g.from.List(ctx, store.FixtureQuery{From: g.now().Add(-around), To: g.now().Add(around)})
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
}
