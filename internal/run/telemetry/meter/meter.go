// Package meter measures the product at its ports: each decorator counts what passes through and changes nothing.
package meter

import (
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/telemetry"
	"github.com/prometheus/client_golang/prometheus"
)

// result names how a call ended: ok, or the code of its error.
func result(err error) string {
	if err == nil {
		return "ok"
	}
	return string(footy.CodeOf(err))
}

// since is the time passed in seconds, as Prometheus likes it.
func since(began time.Time) float64 { return time.Since(began).Seconds() }

// outcomes counts by outcome. Those that are named can be shown before anything happened.
func outcomes(m *telemetry.Metrics, name, help, label string, known ...string) *prometheus.CounterVec {
	c := m.Counter(name, help, label)
	for _, v := range known {
		c.WithLabelValues(v)
	}
	return c
}

// count counts what has no label.
func count(m *telemetry.Metrics, name, help string) prometheus.Counter {
	return m.Counter(name, help).WithLabelValues()
}
