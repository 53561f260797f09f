package web

import (
	"context"
	"net/http"
	"time"

	"github.com/found-footy/found-footy/internal/health"
)

func (s *Server) health(ctx context.Context) health.Report {
	h := health.Report{State: health.StateOK, At: s.now()}
	if s.opt.Health != nil {
		h = s.opt.Health.Health(ctx)
	}
	if h.At.IsZero() {
		h.At = s.now()
	}
	// What this process can see for itself is never taken from a report.
	if err := s.opt.Store.Ping(ctx); err != nil {
		h.Put(health.Part{Name: health.Page, State: health.StateDown, Reason: err.Error(), Remedy: "Start the database, or check its address; the page shows nothing without it."})
	}
	h.State = health.Worst(h.Parts)
	return h
}

// handleLive says that the process runs; it must not depend on anything outside.
func (s *Server) handleLive(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte("ok\n"))
}

// handleReady says that pages can be served.
func (s *Server) handleReady(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 3*time.Second)
	defer cancel()
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if err := s.opt.Store.Ping(ctx); err != nil {
		s.log.WarnContext(ctx, "not ready", "action", "readyz", "error", err)
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte("database unavailable\n"))
		return
	}
	_, _ = w.Write([]byte("ready\n"))
}
