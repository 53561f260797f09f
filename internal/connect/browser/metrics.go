package browser

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/found-footy/found-footy/internal/connect/source"
)

// metrics are the service's figures since it started, in a registry of its own: it may share a process with other roles,
// whose /metrics has a figure of the same name.
type metrics struct {
	handler  http.Handler
	searches *prometheus.CounterVec
	calls    prometheus.Counter
	shared   prometheus.Counter
	restarts prometheus.Counter
}

func newMetrics(s *Service) metrics {
	registry := prometheus.NewRegistry()
	factory := promauto.With(registry)
	gauge := func(name, help string, value func() float64) {
		factory.NewGaugeFunc(prometheus.GaugeOpts{Namespace: "footy", Subsystem: "x", Name: name, Help: help}, value)
	}
	counter := func(name, help string) prometheus.CounterOpts {
		return prometheus.CounterOpts{Namespace: "footy", Subsystem: "x", Name: name, Help: help}
	}
	gauge("logged_in", "1 while X accepts the session.", func() float64 {
		if s.state().Login == source.LoginOK {
			return 1
		}
		return 0
	})
	gauge("budget_remaining", "Search calls left in the present window.", func() float64 { return float64(s.budget().Left) })
	gauge("budget_limit", "Search calls allowed in a window.", func() float64 { return float64(s.budget().Limit) })
	gauge("budget_wait_seconds", "Seconds until the next call is allowed.", func() float64 { return s.budget().Wait.Seconds() })
	gauge("tabs_busy", "Searches under way.", func() float64 { return float64(len(s.tabs)) })
	return metrics{
		handler:  promhttp.HandlerFor(registry, promhttp.HandlerOpts{}),
		searches: factory.NewCounterVec(counter("searches_total", "Searches by how they ended."), []string{"state"}),
		calls:    factory.NewCounter(counter("calls_total", "SearchTimeline calls made.")),
		shared:   factory.NewCounter(counter("shared_total", "Searches answered by another goal's call.")),
		restarts: factory.NewCounter(counter("browser_restarts_total", "Times that Chromium died.")),
	}
}
