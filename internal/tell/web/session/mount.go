package session

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/found-footy/found-footy/internal/tell/web/answer"
)

// Base is the path of the public address, like /footy; "" at the root of its host.
func (s Site) Base() string {
	u, err := url.Parse(s.BaseURL)
	if err != nil {
		return ""
	}
	return strings.TrimRight(u.Path, "/")
}

// Mount serves next under the base, whether the proxy before the page strips it or not.
func (s Site) Mount(next http.Handler) http.Handler {
	base := s.Base()
	if base == "" {
		return next
	}
	stripped := http.StripPrefix(base, next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler := next
		if strings.HasPrefix(r.URL.Path, base+"/") {
			handler = stripped
		}
		if r.URL.Path == base {
			http.Redirect(w, r, base+"/", http.StatusPermanentRedirect)
			return
		}
		handler.ServeHTTP(&mounted{ResponseWriter: w, base: base}, answer.Under(r, base))
	})
}

// mounted puts the base before the paths in the headers of an answer.
type mounted struct {
	http.ResponseWriter
	base string
}

// Unwrap lets http.ResponseController reach the connection.
func (m *mounted) Unwrap() http.ResponseWriter { return m.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (m *mounted) WriteHeader(status int) {
	h := m.Header()
	if to := h.Get("Location"); strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "//") {
		h.Set("Location", m.base+to)
	}
	for i, c := range h["Set-Cookie"] {
		h["Set-Cookie"][i] = strings.Replace(c, "; Path=/", "; Path="+m.base+"/", 1)
	}
	m.ResponseWriter.WriteHeader(status)
}
