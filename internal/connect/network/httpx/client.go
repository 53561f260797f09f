// Package httpx is the only place that constructs HTTP clients: each with a time-out, each honest about who it is, and those
// that fetch what users or posts supply confined to allowed public hosts.
package httpx

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Options confine a client. The zero value is a plain client for a configured service.
type Options struct {
	Timeout     time.Duration // of a whole exchange, body included; 0 = 30 s, negative = none (streams end by their context)
	UserAgent   string
	AllowHosts  []string // host names, or ".example.com" for a domain with all its hosts; empty = any
	DenyPrivate bool     // refuse to connect to loopback, private and link-local addresses, whatever name leads there
	AllowLocal  []string // "host:port" that DenyPrivate lets pass: the simulated world's own servers
	MaxRedirect int      // 0 = 5
	MaxIdle     int      // idle connections kept per host; 0 = 8
	Unix        string   // socket of a service on this machine, whatever host a request names; "" = none
}

// New makes a client.
func New(o Options) *http.Client {
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	if o.MaxRedirect == 0 {
		o.MaxRedirect = 5
	}
	if o.MaxIdle == 0 {
		o.MaxIdle = 8
	}
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	dial := dialer.DialContext
	proxy := http.ProxyFromEnvironment
	if o.DenyPrivate {
		// The check sits at the dial, after the name was resolved: a public name may lead to a private address, and may
		// lead elsewhere at the second look-up. A proxy would dial for us, unseen.
		dialer.ControlContext = guard(o.AllowLocal)
		proxy = nil
	}
	if o.Unix != "" {
		proxy = nil
		dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return dialer.DialContext(ctx, "unix", o.Unix)
		}
	}
	transport := &http.Transport{
		Proxy:                 proxy,
		DialContext:           dial,
		ForceAttemptHTTP2:     true,
		MaxIdleConns:          64,
		MaxIdleConnsPerHost:   o.MaxIdle,
		IdleConnTimeout:       60 * time.Second,
		TLSHandshakeTimeout:   10 * time.Second,
		ExpectContinueTimeout: time.Second,
	}
	c := &http.Client{
		Transport: &polite{next: transport, agent: o.UserAgent, allow: o.AllowHosts},
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			if len(via) >= o.MaxRedirect {
				return footy.Errorf(footy.CodeUnavailable, "follow redirect", "more than %d redirects", o.MaxRedirect)
			}
			return nil
		},
	}
	if o.Timeout > 0 {
		c.Timeout = o.Timeout
	}
	return c
}

// polite checks every hop, redirects included, before it is made.
type polite struct {
	next  http.RoundTripper
	agent string
	allow []string
}

// RoundTrip implements http.RoundTripper.
func (p *polite) RoundTrip(req *http.Request) (*http.Response, error) {
	if s := req.URL.Scheme; s != "http" && s != "https" {
		return nil, forbidden("scheme %q is not allowed", s)
	}
	if !Allowed(req.URL.Host, p.allow) {
		return nil, forbidden("host %q is not allowed", req.URL.Hostname())
	}
	if p.agent != "" && req.Header.Get("User-Agent") == "" {
		req = req.Clone(req.Context())
		req.Header.Set("User-Agent", p.agent)
	}
	return p.next.RoundTrip(req)
}

// CloseIdleConnections lets http.Client reach the transport.
func (p *polite) CloseIdleConnections() {
	if t, ok := p.next.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}

// Allowed reports whether a host (with or without port) is on the list; an empty list allows all. An entry with a port
// allows that port only.
func Allowed(host string, list []string) bool {
	if len(list) == 0 {
		return true
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = strings.TrimSuffix(h, ".")
	}
	return slices.ContainsFunc(list, func(entry string) bool {
		entry = strings.ToLower(entry)
		if suffix, ok := strings.CutPrefix(entry, "."); ok {
			return name == suffix || strings.HasSuffix(name, entry)
		}
		return entry == name || entry == host
	})
}

func forbidden(format string, args ...any) error {
	return &footy.Error{Code: footy.CodeRejected, Op: "request URL", Reason: footy.ReasonForbiddenURL, Err: fmt.Errorf(format, args...)}
}
