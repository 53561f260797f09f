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
	if r.TLS != nil || (IsLoopback(r.RemoteAddr) && Encrypted(r)) { // only a proxy beside us is believed
		u.Scheme = "https"
	}
	return u.String()
}

// checkHost refuses names that are not known to be ours: a page of another site whose name was made to point here would else
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
	}
	if _, err := netip.ParseAddr(hostname(r.Host)); err == nil && !IsLoopback(s.Addr) {
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

// IsLoopback reports whether a host, with or without port, can only be this machine.
func IsLoopback(host string) bool {
	host = hostname(host)
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// Local reports whether a program of this machine asks for this machine by its name, without a proxy between. A page of another site that is
// open in a browser here asks by another name or origin. A proxy beside us comes from loopback, too; it is known by a header that it adds,
// by the visitor's origin that it passes on, or by HTTP/1.0, which nginx speaks unless configured and no browser does.
func Local(r *http.Request) bool {
	for name := range r.Header {
		if forwards(name) {
			return false
		}
	}
	if origin := r.Header.Get("Origin"); origin != "" {
		u, err := url.Parse(origin)
		if err != nil || !IsLoopback(u.Host) {
			return false
		}
	}
	return r.ProtoAtLeast(1, 1) && IsLoopback(r.RemoteAddr) && IsLoopback(r.Host)
}

// forwards reports whether proxies alone send a header.
func forwards(name string) bool {
	if slices.Contains([]string{"Forwarded", "Via", "X-Real-Ip"}, name) || strings.HasSuffix(name, "-Client-Ip") || strings.HasSuffix(name, "-Connecting-Ip") {
		return true
	}
	return slices.ContainsFunc([]string{"X-Forwarded", "X-Original-", "X-Envoy-", "X-Amzn-", "Cf-", "Tailscale-"}, func(p string) bool { return strings.HasPrefix(name, p) })
}

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
