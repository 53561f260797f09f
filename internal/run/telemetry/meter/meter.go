// Package meter measures the product at its ports: each decorator counts what passes through and changes nothing.
package meter

import (
	"time"

	"github.com/found-footy/found-footy/internal/footy"
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

// zero makes series that a panel can show before anything happened.
func zero(c *prometheus.CounterVec, values ...string) {
	for _, v := range values {
		c.WithLabelValues(v).Add(0)
	}
}
