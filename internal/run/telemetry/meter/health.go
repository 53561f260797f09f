package meter

import (
	"github.com/found-footy/found-footy/internal/run/telemetry"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/prometheus/client_golang/prometheus"
)

// Health notes what looks at the parts find. Looks come every few seconds, so a scrape asks no service. Times say more to an alert than ages:
// they grow old by themselves, also where no look comes any more.
func Health(r *telemetry.Metrics) func(health.Part) {
	states := r.Gauge("component_state", "1 for the state a component is in: ok, missing (not set up), degraded or down.", "component", "state")
	facts := map[string]*prometheus.GaugeVec{
		"budget_left": r.Gauge("x_budget_left", "Searches of X left in the present window."),
		"budget":      r.Gauge("x_budget_limit", "Searches of X per window."),
	}
	figures := map[string]*prometheus.GaugeVec{
		"queue_depth":                  r.Gauge("queue_depth", "Tasks that wait in a queue of the workflow engine.", "queue"),
		"queue_age_seconds":            r.Gauge("queue_age_seconds", "Age of the oldest task that waits in a queue.", "queue"),
		"listed_day_timestamp_seconds": r.Gauge("listed_day_timestamp_seconds", "Midnight (UTC) that began the newest day whose list of matches was read on that day."),
		"last_cycle_timestamp_seconds": r.Gauge("last_cycle_timestamp_seconds", "When the newest monitor cycle ended that decided, also if that was nothing to do."),
	}
	for _, g := range facts {
		g.WithLabelValues().Set(0)
	}
	return func(p health.Part) {
		for _, s := range health.States() {
			is := 0.0
			if s == p.State {
				is = 1
			}
			states.WithLabelValues(p.Name, string(s)).Set(is)
		}
		for fact, g := range facts {
			if v, ok := p.Facts[fact].(int); ok && v >= 0 {
				g.WithLabelValues().Set(float64(v))
			}
		}
		for _, f := range p.Figures {
			figures[f.Metric].WithLabelValues(f.Labels...).Set(f.Value)
		}
	}
}
