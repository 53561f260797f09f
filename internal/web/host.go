package web

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// admitsHost refuses names that are not this machine's while only this machine is served: a page of somebody else's
// whose name was made to point here would else read everything and act as its reader (DNS rebinding).
func (s *Server) admitsHost(r *http.Request) error {
	switch {
	case r.URL.Path == "/healthz" || r.URL.Path == "/readyz": // probes may speak HTTP/1.0, and learn nothing here
		return nil
	case r.Host == "":
		return footy.Errorf(footy.CodeInvalid, "serve", "The request names no host; send a Host header.")
	case s.opt.BaseURL != "" || !isLoopback(s.opt.Addr) || isLoopback(r.Host):
		return nil
	}
	return &statusError{http.StatusMisdirectedRequest, footy.CodeRejected,
		fmt.Sprintf("This page is served to this machine only, not as %q; to reach it by that name set PUBLIC_URL.", r.Host)}
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
