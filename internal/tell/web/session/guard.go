package session

import (
	"net/http"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
)

// contentPolicy allows only what this server sends, and clips from where they are; nothing inline.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; " +
	"connect-src 'self'; font-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors "

// Guard sets the headers that every answer carries and refuses foreign hosts and cross-site writes.
func (s Site) Guard(next http.Handler, refuse func(http.ResponseWriter, *http.Request, error)) http.Handler {
	cross := http.NewCrossOriginProtection()
	cross.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		refuse(w, r, &answer.Error{Status: http.StatusForbidden, Code: footy.CodeRejected, Message: "This request came from another site and was refused."})
	}))
	checked := cross.Handler(next)
	policy := contentPolicy
	if s.ClipsFrom != "" {
		policy = strings.Replace(policy, "media-src 'self'", "media-src 'self' "+s.ClipsFrom, 1)
	}
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
		if err := s.checkHost(r); err != nil {
			refuse(w, r, err)
			return
		}
		checked.ServeHTTP(w, r)
	})
}
