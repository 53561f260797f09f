package session

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

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
