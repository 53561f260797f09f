package telemetry

import (
	"context"
	"net"
	"net/http"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
)

// Figures listens for Prometheus where METRICS_ADDR says.
type Figures struct{ l net.Listener } // nil: it says nothing

// Listen refuses an address that is in use.
func Listen(ctx context.Context, addr string) (f Figures, err error) {
	if addr != "" {
		f.l, err = network.Listen(ctx, "serve metrics", "METRICS_ADDR", addr)
	}
	return f, err
}

// Close ends what Serve was not called for.
func (f Figures) Close() {
	if f.l != nil {
		_ = f.l.Close()
	}
}

// Serve serves the figures until ctx ends, and whether this process lives and is of use.
func (f Figures) Serve(ctx context.Context, m *Metrics, ready func(context.Context) error) error {
	if f.l == nil {
		return nil
	}
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
	return network.Serve(ctx, f.l, &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute, WriteTimeout: time.Minute}, nil)
}
