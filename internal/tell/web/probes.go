package web

import (
	"fmt"
	"net/http"
)

// live says that the process runs; it must not depend on anything outside.
func live(w http.ResponseWriter, _ *http.Request) error {
	writeText(w, http.StatusOK, "ok")
	return nil
}

// ready says that pages can be served.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) error {
	if s.reachable(r) {
		writeText(w, http.StatusOK, "ready")
		return nil
	}
	w.Header().Set("Retry-After", "5")
	writeText(w, http.StatusServiceUnavailable, "database unavailable")
	return nil
}

// reachable looks, and logs a change: probes come all the time.
func (s *Server) reachable(r *http.Request) bool {
	err := s.reader.Reachable(r.Context())
	switch was := s.unready.Swap(err != nil); {
	case err != nil && !was:
		s.log.WarnContext(r.Context(), "not ready", "action", "readyz", "error", err)
	case err == nil && was:
		s.log.InfoContext(r.Context(), "ready again", "action", "readyz")
	}
	return err == nil
}

func writeText(w http.ResponseWriter, status int, line string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = fmt.Fprintln(w, line)
}
