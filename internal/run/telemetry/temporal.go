package telemetry

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.temporal.io/sdk/client"
)

// temporalTags are the SDK's tags worth a label; the others hold one value in all of this product.
var temporalTags = []string{"task_queue", "workflow_type", "activity_type", "worker_type", "poller_type", "operation", "failure_reason", "status_code", "cause"}

// TemporalMetrics lets the SDK count into m, under the SDK's own names (temporal_...). Clients that follow each other count on.
func (m *Metrics) TemporalMetrics() client.MetricsHandler {
	return temporalHandler{sdk: &sdkMetrics{metrics: m, made: map[string]prometheus.Collector{}}}
}

// sdkMetrics keeps one metric per name; the SDK asks for the same name again and again.
type sdkMetrics struct {
	metrics *Metrics
	mu      sync.Mutex
	made    map[string]prometheus.Collector
}

type temporalHandler struct {
	sdk  *sdkMetrics
	tags map[string]string
}

// WithTags implements client.MetricsHandler.
func (h temporalHandler) WithTags(tags map[string]string) client.MetricsHandler {
	all := maps.Clone(h.tags)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, tags)
	return temporalHandler{h.sdk, all}
}

// Counter implements client.MetricsHandler.
func (h temporalHandler) Counter(name string) client.MetricsCounter {
	name = strings.TrimSuffix(name, "_total") + "_total"
	c := cached(h.sdk, name, func() *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: "Counted by the Temporal SDK."}, temporalTags)
	}).WithLabelValues(h.values()...)
	return counter{c}
}

// Gauge implements client.MetricsHandler.
func (h temporalHandler) Gauge(name string) client.MetricsGauge {
	return gauge{cached(h.sdk, name, func() *prometheus.GaugeVec {
		return prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: "Measured by the Temporal SDK."}, temporalTags)
	}).WithLabelValues(h.values()...)}
}

// Timer implements client.MetricsHandler.
func (h temporalHandler) Timer(name string) client.MetricsTimer {
	name += "_seconds"
	return timer{cached(h.sdk, name, func() *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: "Timed by the Temporal SDK.", Buckets: prometheus.ExponentialBuckets(0.01, 5, 7)}, temporalTags)
	}).WithLabelValues(h.values()...)}
}

func (h temporalHandler) values() []string {
	out := make([]string, len(temporalTags))
	for i, t := range temporalTags {
		if v := h.tags[t]; v != "none" {
			out[i] = v
		}
	}
	// A sticky queue is named after one process and its start; as a label it would never end.
	if q := slices.Index(temporalTags, "task_queue"); strings.Contains(out[q], ":") {
		out[q] = "sticky"
	}
	return out
}

func cached[C prometheus.Collector](s *sdkMetrics, name string, make func() C) C {
	s.mu.Lock()
	defer s.mu.Unlock()
	if have, ok := s.made[name].(C); ok {
		return have
	}
	c := register(s.metrics, make())
	s.made[name] = c
	return c
}

type (
	counter struct{ c prometheus.Counter }
	gauge   struct{ g prometheus.Gauge }
	timer   struct{ o prometheus.Observer }
)

// Inc implements client.MetricsCounter.
func (c counter) Inc(n int64) {
	if n > 0 {
		c.c.Add(float64(n))
	}
}

// Update implements client.MetricsGauge.
func (g gauge) Update(v float64) { g.g.Set(v) }

// Record implements client.MetricsTimer.
func (t timer) Record(d time.Duration) { t.o.Observe(d.Seconds()) }
