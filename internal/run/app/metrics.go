package app

import (
	"net/http"
	"strconv"
	"time"

	"github.com/found-footy/found-footy/internal/decide/clip/stats"
	"github.com/found-footy/found-footy/internal/run/telemetry/meter"
	"github.com/found-footy/found-footy/internal/tell/web/session"
	"github.com/found-footy/found-footy/internal/tell/web/stream"
	"github.com/prometheus/client_golang/prometheus"
)

// measure puts a meter at each port. What it counts is shown at /metrics.
func (a *App) measure() {
	m := a.Metrics
	m.Register(meter.Goals(a.Store, objective, time.Now), "goals", "fixtures", "objective_share", "objective_goals")
	a.Store = meter.Store(m, a.Log, a.Store)
	a.Feed = meter.Feed(m, a.Feed)
	a.Source = meter.Source(m, a.Source)
	a.Fetcher = meter.Fetcher(m, a.Fetcher)
	a.seenPart = meter.Health(m)
	a.failures()
	if a.Reader != nil {
		a.Reader = meter.Reader(m, a.Reader)
		m.Gauge("model_slots", "Requests the model works on at once, for all workers together.").WithLabelValues().Set(float64(max(a.Config.Model.Slots, 1)))
	}
}

// failures counts tries of activities that failed.
func (a *App) failures() *prometheus.CounterVec {
	return a.Metrics.Counter("activity_failures_total", "Tries of activities that failed, by activity.", "activity")
}

// objective is what coverage should be: a tenth of the goals has no clip that anyone posts, and five minutes are what a viewer waits. It is
// not scaled: decoding is no faster on a day of a demonstration.
var objective = stats.Objective{Share: 0.9, Within: 5 * time.Minute}

// timed measures what c asks of one service outside.
func (a *App) timed(to string, c *http.Client) *http.Client {
	if a.Metrics == nil { // a look by doctor
		return c
	}
	return meter.Client(a.Metrics, to, c)
}

// observePage counts the page's answers.
func (a *App) observePage() func(route string, status int, took time.Duration) {
	answers := a.Metrics.Seconds("http_seconds", "How long the page takes to answer; live streams count when they end.", "route", "status")
	return func(route string, status int, took time.Duration) {
		answers.WithLabelValues(route, strconv.Itoa(status)).Observe(took.Seconds())
	}
}

// streamFigures shows the live side of a page.
func (a *App) streamFigures(hub *stream.Hub) {
	a.Metrics.Register(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "footy_stream_readers", Help: "Browsers that follow the live stream now."},
		func() float64 { return float64(hub.Readers()) }), "stream_readers")
	a.Metrics.Register(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "footy_stream_dropped_total", Help: "Readers of the live stream that were too slow and had to ask again."},
		func() float64 { return float64(hub.Dropped()) }), "stream_dropped_total")
}

// withMetrics serves /metrics beside a page to this machine, unless METRICS_ADDR gives it a place of its own. What a proxy passes on comes
// from elsewhere, wherever the proxy is.
func (a *App) withMetrics(page http.Handler) http.Handler {
	if a.Config.Metrics.Addr != "" {
		return page
	}
	metrics := a.Metrics.Handler()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/metrics" && session.Local(r) {
			w.Header().Set("X-Content-Type-Options", "nosniff")
			w.Header().Set("Cache-Control", "no-store")
			metrics.ServeHTTP(w, r)
			return
		}
		page.ServeHTTP(w, r)
	})
}
