package telemetry

import (
	"context"
	"net"
	"net/http"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
)

// Listen listens for Prometheus where METRICS_ADDR says; nil if it says nothing.
func Listen(ctx context.Context, addr string) (net.Listener, error) {
	if addr == "" {
		return nil, nil //nolint:nilnil // no listener is no fault
	}
	return network.Listen(ctx, "serve metrics", "METRICS_ADDR", addr)
}

// Server is what METRICS_ADDR serves: the figures, and whether this process lives and is of use.
func Server(m *Metrics, ready func(context.Context) error) *http.Server {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", m.Handler())
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), 3*time.Second)
		defer cancel()
		if err := ready(ctx); err != nil { // why is in the log and on the health page
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		_, _ = w.Write([]byte("ready\n"))
	})
	return &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute, WriteTimeout: time.Minute}
}
