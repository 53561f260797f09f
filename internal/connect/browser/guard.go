package browser

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/connect/source/x/searchapi"
)

// guard refuses whom the service is not for. With a token that is everybody who does not send it: who searches spends the
// account's budget, and who logs in gets the password of the login screen. Without one the service listens on loopback, where every
// page that the person visits could reach it, also under a name of its own that leads here.
func (s *Service) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method != http.MethodGet && (r.Header.Get("Origin") != "" || r.Header.Get("Sec-Fetch-Site") != ""):
			writeJSON(w, http.StatusForbidden, searchapi.Failure{Error: "web pages may not drive the search service"})
		case s.opts.Token == "" && !ownName(r.Host):
			writeJSON(w, http.StatusForbidden, searchapi.Failure{Error: "without TWITTER_SERVICE_TOKEN the search service is for this machine alone, under its own names"})
		case s.opts.Token != "" && !s.knowsToken(r) && !slices.Contains(forEverybody, r.URL.Path):
			w.Header().Set("WWW-Authenticate", "Bearer")
			writeJSON(w, http.StatusUnauthorized, searchapi.Failure{Error: "the search service wants its token: set the same TWITTER_SERVICE_TOKEN on both sides"})
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// forEverybody are the paths that say one word, for those who watch processes.
var forEverybody = []string{"/health", "/healthz", "/readyz"}

// knowsToken compares in constant time, lengths included.
func (s *Service) knowsToken(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	x, y := sha256.Sum256([]byte(strings.TrimSpace(token))), sha256.Sum256([]byte(s.opts.Token))
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// ownName reports whether a request's host, with or without port, can only mean this machine.
func ownName(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") || err == nil && ip.Unmap().IsLoopback()
}
