package web

import (
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// policy allows what we serve ourselves and nothing inline.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; " +
	"connect-src 'self'; font-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors "

// guard sets the headers every answer carries, refuses foreign hosts and cross-site writes and turns a panic into an answer.
func (s *Server) guard(next http.Handler) http.Handler {
	cross := http.NewCrossOriginProtection()
	cross.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, &statusError{http.StatusForbidden, footy.CodeRejected, "This request came from another site and was refused."})
	}))
	checked := cross.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
		h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=()")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		if strings.HasPrefix(r.URL.Path, "/embed/") {
			h.Set("Content-Security-Policy", policy+"*")
		} else {
			h.Set("Content-Security-Policy", policy+"'none'")
			h.Set("X-Frame-Options", "DENY")
		}
		defer func() {
			if v := recover(); v != nil && v != http.ErrAbortHandler { //nolint:errorlint // a panic value is compared, as net/http does
				s.log.ErrorContext(r.Context(), "handler panicked", "action", "http", "path", r.URL.Path, "panic", v, "stack", string(debug.Stack()))
				s.fail(w, r, footy.Errorf(footy.CodeUnavailable, "serve", "internal failure"))
			}
		}()
		if err := s.admitsHost(r); err != nil {
			s.fail(w, r, err)
			return
		}
		checked.ServeHTTP(w, r)
	})
}
