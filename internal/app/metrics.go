package app

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/found-footy/found-footy/internal/config"
	"github.com/found-footy/found-footy/internal/network"
	"github.com/found-footy/found-footy/internal/telemetry"
	"github.com/found-footy/found-footy/internal/telemetry/meter"
	"github.com/found-footy/found-footy/internal/web"
	"github.com/found-footy/found-footy/internal/xaccount"
)

// measure puts a meter at each port. What it counts is shown at /metrics.
func (a *App) measure() {
	m := a.Metrics
	m.Register(meter.Goals(a.Store, time.Now), "goals", "fixtures")
	a.Store = meter.Store(m, a.Log, a.Store)
	a.Feed = meter.Feed(m, a.Feed)
	a.Source = meter.Source(m, a.Source)
	a.Fetcher = meter.Fetcher(m, a.Fetcher)
	a.seenPart, a.seenQueue = meter.Health(m), meter.Queues(m)
	if a.Reader != nil {
		a.Reader = meter.Reader(m, a.Reader)
		m.Gauge("model_slots", "Requests the model works on at once.").WithLabelValues().Set(float64(max(a.Config.Model.Slots, 1)))
	}
}

// timed measures what c asks of one service outside.
func (a *App) timed(to string, c *http.Client) *http.Client {
	if a.Metrics == nil { // a look by doctor
		return c
	}
	return meter.Client(a.Metrics, to, c)
}

// observePage counts the page's answers.
func (a *App) observePage() func(web.Observed) {
	took := a.Metrics.Seconds("http_seconds", "How long the page takes to answer; live streams count when they end.", "route", "status")
	return func(o web.Observed) {
		took.WithLabelValues(o.Route, strconv.Itoa(o.Status)).Observe(o.Took.Seconds())
	}
}

// streamFigures shows the live side of a page.
func (a *App) streamFigures(page *web.Server) {
	a.Metrics.GaugeFunc("stream_readers", "Browsers that follow the live stream now.", func() float64 { return float64(page.Hub().Readers()) })
	a.Metrics.CounterFunc("stream_dropped_total", "Readers of the live stream that were too slow and had to ask again.", func() float64 { return float64(page.Hub().Dropped()) })
}

// withMetrics serves /metrics beside a page, unless METRICS_ADDR gives it a place of its own.
func (a *App) withMetrics(page http.Handler) http.Handler {
	if a.Config.Metrics.Addr != "" {
		return page
	}
	metrics := a.Metrics.Handler()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/metrics" {
			w.Header().Set("X-Content-Type-Options", "nosniff")
			w.Header().Set("Cache-Control", "no-store")
			metrics.ServeHTTP(w, r)
			return
		}
		page.ServeHTTP(w, r)
	})
}

// metricsListener listens where METRICS_ADDR says; nil if it says nothing.
func metricsListener(ctx context.Context, c config.Config) (net.Listener, error) {
	addr := c.Metrics.Addr
	if addr == "" {
		return nil, nil //nolint:nilnil // no listener is no fault
	}
	return network.Listen(ctx, "serve metrics", "METRICS_ADDR", addr)
}

// metricsOnly is what METRICS_ADDR serves: the figures, and whether this process lives and is of use.
func metricsOnly(m *telemetry.Metrics, ping func(context.Context) error) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", m.Handler())
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), 3*time.Second)
		defer cancel()
		if ping(ctx) != nil { // what is wrong is in the log and on the health page
			http.Error(w, "database unavailable", http.StatusServiceUnavailable)
			return
		}
		_, _ = w.Write([]byte("ready\n"))
	})
	return mux
}

// RunBrowser is the search service alone with its figures, until ctx ends; ready is told its address.
func RunBrowser(ctx context.Context, c config.Config, log *slog.Logger, ready func(url string)) error {
	l, err := metricsListener(ctx, c)
	if err != nil {
		return err
	}
	if l != nil {
		defer l.Close() // closed by Serve already, unless the service failed
		go func() {
			_ = Serve(ctx, l, metricsOnly(telemetry.NewMetrics(""), func(context.Context) error { return nil }), nil)
		}()
	}
	return xaccount.Serve(ctx, c, log, ready)
}
