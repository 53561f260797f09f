package session

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
)

// Site is where the server is reached.
type Site struct {
	BaseURL string   // the public address, without a slash at its end; "" = as requested
	Addr    string   // the listener's
	Hosts   []string // further names that the page answers to
	// ClipsFrom is the scheme and host that clips come from; "" = the page itself.
	ClipsFrom string
}

// Origin is the public address: configured, else what the client asked for.
func (s Site) Origin(r *http.Request) string {
	if s.BaseURL != "" {
		return s.BaseURL
	}
	u := url.URL{Scheme: "http", Host: r.Host}
	if r.TLS != nil || (IsLoopback(r.RemoteAddr) && Encrypted(r)) { // a proxy beside us is believed, nobody else
		u.Scheme = "https"
	}
	return u.String()
}

// checkHost refuses names that are not known to be ours: a page of somebody else's whose name was made to point here would else
// read everything and act as its reader (DNS rebinding). A bare address cannot be made to point elsewhere; where only this machine is
// served, nobody asks by one that is not its own.
func (s Site) checkHost(r *http.Request) error {
	switch {
	case r.URL.Path == "/healthz" || r.URL.Path == "/readyz": // probes may speak HTTP/1.0, and learn nothing here
		return nil
	case r.Host == "":
		return footy.Errorf(footy.CodeInvalid, "serve", "The request names no host; send a Host header.")
	case IsLoopback(r.Host) || s.named(hostname(r.Host)):
		return nil
	case !IsLoopback(s.Addr) && isAddress(r.Host):
		return nil
	}
	return &answer.Error{Status: http.StatusMisdirectedRequest, Code: footy.CodeRejected,
		Message: fmt.Sprintf("This page does not answer to the name %q; to reach it by that name set PUBLIC_URL, or add it to WEB_HOSTS.", hostname(r.Host))}
}

// named reports whether a name was given to us: by the settings, or to the machine where others are served, too.
func (s Site) named(host string) bool {
	if u, err := url.Parse(s.BaseURL); err == nil && u.Host != "" && hostname(u.Host) == host {
		return true
	}
	if slices.ContainsFunc(s.Hosts, func(known string) bool { return hostname(known) == host }) {
		return true
	}
	own, err := os.Hostname()
	own = strings.ToLower(own)
	return err == nil && own != "" && !IsLoopback(s.Addr) && (host == own || host == own+".local")
}

// hostname is a host without its port, as names are compared.
func hostname(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	return strings.ToLower(strings.Trim(strings.TrimSuffix(host, "."), "[]"))
}

func isAddress(host string) bool {
	_, err := netip.ParseAddr(hostname(host))
	return err == nil
}

// IsLoopback reports whether a host, with or without port, can only be this machine.
func IsLoopback(host string) bool {
	host = hostname(host)
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}
