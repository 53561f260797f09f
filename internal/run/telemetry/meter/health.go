package meter

import (
	"time"

	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/prometheus/client_golang/prometheus"
)

// levels are the facts of parts that are figures, too.
func levels() map[string][2]string {
	return map[string][2]string{
		"budget_left": {"x_budget_left", "Searches of X left in the present window."},
		"budget":      {"x_budget_limit", "Searches of X per window."},
	}
}

// Health notes what looks at the parts find. Looks come every few seconds, so a scrape asks nobody.
func Health(r Registry) func(health.Part) {
	states := r.Gauge("component_state", "1 for the state a component is in: ok, missing (not set up), degraded or down.", "component", "state")
	gauges := map[string]prometheus.Gauge{}
	for fact, l := range levels() {
		gauges[fact] = r.Gauge(l[0], l[1]).WithLabelValues()
	}
	return func(p health.Part) {
		for _, s := range health.States() {
			is := 0.0
			if s == p.State {
				is = 1
			}
			states.WithLabelValues(p.Name, string(s)).Set(is)
		}
		for fact, g := range gauges {
			if v, ok := p.Facts[fact].(int); ok && v >= 0 {
				g.Set(float64(v))
			}
		}
	}
}

// Queues notes what waits in the task queues.
func Queues(r Registry) func(queue string, tasks, secondsOfOldest float64) {
	depth := r.Gauge("queue_depth", "Tasks that wait in a queue of the workflow engine.", "queue")
	age := r.Gauge("queue_age_seconds", "Age of the oldest task that waits in a queue.", "queue")
	return func(queue string, tasks, secondsOfOldest float64) {
		depth.WithLabelValues(queue).Set(tasks)
		age.WithLabelValues(queue).Set(secondsOfOldest)
	}
}

// List notes the newest day whose list of matches was read on that day. A time tells an alert more than an age: it grows old by itself,
// also where nobody looks any more.
func List(r Registry) func(day time.Time) {
	listed := r.Gauge("listed_day_timestamp_seconds", "Midnight (UTC) that began the newest day whose list of matches was read on that day.")
	return func(day time.Time) { listed.WithLabelValues().Set(float64(day.Unix())) }
}

// Cycle notes when the newest monitor cycle that decided ended. A process that knows of none has no such figure.
func Cycle(r Registry) func(at time.Time) {
	ended := r.Gauge("last_cycle_timestamp_seconds", "When the newest monitor cycle ended that decided, also if that was nothing to do.")
	return func(at time.Time) { ended.WithLabelValues().Set(float64(at.Unix())) }
}
