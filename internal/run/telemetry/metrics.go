package telemetry

import (
	"errors"
	"net/http"
	"slices"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics is one process's set of metrics. Asking twice for a name gives the same metric, so that roles sharing a
// process need not know of each other. Labels must have few values: kinds and reasons, never ids.
type Metrics struct {
	registry *prometheus.Registry

	mu    sync.Mutex
	names []string
}

// Names lists the metrics made so far, also those without a value yet.
func (m *Metrics) Names() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.names)
}

func (m *Metrics) named(name string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.names = append(m.names, "footy_"+name)
	return name
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
	c := register(m, prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "footy", Name: m.named(name), Help: help}, labels))
	if len(labels) == 0 { // there from the start, so that nothing yet reads as zero
		c.WithLabelValues()
	}
	return c
}

// Gauge shows how much there is now.
func (m *Metrics) Gauge(name, help string, labels ...string) *prometheus.GaugeVec {
	return register(m, prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: "footy", Name: m.named(name), Help: help}, labels))
}

// Seconds measures how long things take, from a fast write to a slow model.
func (m *Metrics) Seconds(name, help string, labels ...string) *prometheus.HistogramVec {
	return m.histogram(name, help, prometheus.ExponentialBuckets(0.005, 3, 10), labels)
}

// Minutes measures what takes from seconds to hours; its unit is seconds all the same.
func (m *Metrics) Minutes(name, help string, labels ...string) *prometheus.HistogramVec {
	return m.histogram(name, help, []float64{1, 2, 5, 10, 15, 30, 45, 60, 90, 120, 180, 300, 600, 900, 1800, 3600}, labels)
}

func (m *Metrics) histogram(name, help string, buckets []float64, labels []string) *prometheus.HistogramVec {
	h := register(m, prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: "footy", Name: m.named(name), Help: help, Buckets: buckets}, labels))
	if len(labels) == 0 {
		h.WithLabelValues()
	}
	return h
}

// Register adds a collector of the caller's own and the names it serves, without our prefix.
func (m *Metrics) Register(c prometheus.Collector, names ...string) {
	m.registry.MustRegister(c)
	for _, n := range names {
		m.named(n)
	}
}

// Handler serves /metrics. What cannot be read now is left out: the rest matters most when something is down.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry, ErrorHandling: promhttp.ContinueOnError})
}

func register[C prometheus.Collector](m *Metrics, c C) C {
	err := m.registry.Register(c)
	if before, ok := errors.AsType[prometheus.AlreadyRegisteredError](err); ok {
		if same, ok := before.ExistingCollector.(C); ok {
			return same
		}
	}
	if err != nil { // one name for two meanings: a mistake in our own code
		panic(err)
	}
	return c
}
