package telemetry

import (
	"errors"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics is one process's set of metrics. Asking twice for a name gives the same metric, so that roles sharing a
// process need not know of each other. Labels must have few values: kinds and reasons, never ids.
type Metrics struct {
	registry *prometheus.Registry
}

// NewMetrics starts with the facts of the process and of the build.
func NewMetrics(version string) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry()}
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.Gauge("build_info", "Always 1; the label says which build runs.", "version").WithLabelValues(version).Set(1)
	return m
}

// Counter counts what happened.
func (m *Metrics) Counter(name, help string, labels ...string) *prometheus.CounterVec {
	return register(m, prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "footy", Name: name, Help: help}, labels))
}

// Gauge tells how much there is now.
func (m *Metrics) Gauge(name, help string, labels ...string) *prometheus.GaugeVec {
	return register(m, prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: "footy", Name: name, Help: help}, labels))
}

// Seconds measures how long things take, from a fast write to a slow model.
func (m *Metrics) Seconds(name, help string, labels ...string) *prometheus.HistogramVec {
	return register(m, prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Namespace: "footy", Name: name, Help: help, Buckets: prometheus.ExponentialBuckets(0.005, 3, 10),
	}, labels))
}

// Handler serves /metrics.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry})
}

func register[C prometheus.Collector](m *Metrics, c C) C {
	err := m.registry.Register(c)
	var before prometheus.AlreadyRegisteredError
	if errors.As(err, &before) {
		if same, ok := before.ExistingCollector.(C); ok {
			return same
		}
	}
	if err != nil { // one name for two meanings: a mistake in our own code
		panic(err)
	}
	return c
}
