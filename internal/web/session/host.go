package session

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/web/answer"
)

// Site is where the server is reached.
type Site struct {
	BaseURL string // the public address, without a slash at its end; "" = as requested
	Addr    string // the listener's
}

// Origin is the public address: configured, else what the client asked for.
func (s Site) Origin(r *http.Request) string {
	if s.BaseURL != "" {
		return s.BaseURL
	}
	u := url.URL{Scheme: "http", Host: r.Host}
	if r.TLS != nil || (isLoopback(r.RemoteAddr) && encrypted(r)) { // a proxy beside us is believed, nobody else
		u.Scheme = "https"
	}
	return u.String()
}

// checkHost refuses names that are not this machine's while only this machine is served: a page of somebody else's
// whose name was made to point here would else read everything and act as its reader (DNS rebinding).
func (s Site) checkHost(r *http.Request) error {
	switch {
	case r.URL.Path == "/healthz" || r.URL.Path == "/readyz": // probes may speak HTTP/1.0, and learn nothing here
		return nil
	case r.Host == "":
		return footy.Errorf(footy.CodeInvalid, "serve", "The request names no host; send a Host header.")
	case s.BaseURL != "" || !isLoopback(s.Addr) || isLoopback(r.Host):
		return nil
	}
	return &answer.Error{Status: http.StatusMisdirectedRequest, Code: footy.CodeRejected,
		Message: fmt.Sprintf("This page is served to this machine only, not as %q; to reach it by that name set PUBLIC_URL.", r.Host)}
}

// isLoopback reports whether a host, with or without port, can only be this machine.
func isLoopback(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"))
	return err == nil && ip.Unmap().IsLoopback()
}
