package web

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// live says that the process runs; it must not depend on anything outside.
func live(w http.ResponseWriter, _ *http.Request) error {
	writeText(w, http.StatusOK, "ok")
	return nil
}

// ready says that pages can be served.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) error {
	ctx, cancel := context.WithTimeout(r.Context(), 3*time.Second)
	defer cancel()
	if err := s.opt.Store.Ping(ctx); err != nil {
		s.log.WarnContext(ctx, "not ready", "action", "readyz", "error", err)
		writeText(w, http.StatusServiceUnavailable, "database unavailable")
		return nil
	}
	writeText(w, http.StatusOK, "ready")
	return nil
}

func writeText(w http.ResponseWriter, status int, line string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = fmt.Fprintln(w, line)
}
