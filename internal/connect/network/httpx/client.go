// Package httpx is the only place that constructs HTTP clients: each with a time-out, each honest about who it is, and those
// that fetch what users or posts supply confined to allowed public hosts.
package httpx

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/footy"
)

// Agent is how requests to services that ask for it name who asks; a build without a release's version names the revision.
func Agent(version string) string {
	return "found-footy/" + strings.Join(strings.Fields(cmp.Or(version, "dev")), "-") + " (+https://github.com/found-footy/found-footy)"
}

// Options confine a client. The zero value is a plain client for a configured service.
type Options struct {
	Timeout     time.Duration // of a whole exchange, body included; 0 = 30 s, negative = none (streams end by their context)
	UserAgent   string
	Referer     string   // of each request that no redirect led to; "" = none
	AllowHosts  []string // host names, or ".example.com" for a domain with all its hosts; empty = any
	DenyPrivate bool     // refuse to connect to loopback, private and link-local addresses, whatever name leads there
	OnlyHTTPS   bool     // also refuse http, on every hop, except to a loopback address
	Instead     string   // base address that is asked in place of every host, whose name goes before the path: the simulated world
	Unix        string   // socket of a service on this machine, whatever host a request names; "" = none
}

const (
	mostRedirects = 5
	mostIdle      = 8 // connections kept per host
)

// New makes a client.
func New(o Options) *http.Client {
	o.Timeout = cmp.Or(o.Timeout, 30*time.Second)
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	dial := dialer.DialContext
	proxy := http.ProxyFromEnvironment
	if o.DenyPrivate {
		// The check sits at the dial, after the name was resolved: a public name may lead to a private address, and may
		// lead elsewhere at the second look-up. A proxy would dial for us, unseen.
		dialer.ControlContext = publicOnly
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
		MaxIdleConnsPerHost:   mostIdle,
		IdleConnTimeout:       60 * time.Second,
		TLSHandshakeTimeout:   10 * time.Second,
		ExpectContinueTimeout: time.Second,
	}
	c := &http.Client{
		Transport: &polite{next: transport, agent: o.UserAgent, referer: o.Referer, allow: o.AllowHosts, secure: o.OnlyHTTPS, instead: strings.TrimRight(o.Instead, "/")},
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			if len(via) >= mostRedirects {
				return footy.Errorf(footy.CodeUnavailable, "follow redirect", "more than %d redirects", mostRedirects)
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
	next    *http.Transport
	agent   string
	referer string
	allow   []string
	secure  bool
	instead string
}

// RoundTrip implements http.RoundTripper.
func (p *polite) RoundTrip(req *http.Request) (*http.Response, error) {
	if s := req.URL.Scheme; s != "http" && s != "https" {
		return nil, forbidden("scheme %q is not allowed", s)
	}
	if p.secure && !Secure(req.URL) {
		return nil, forbidden("http to %s is not allowed", req.URL.Hostname())
	}
	if !Allowed(req.URL.Host, p.allow) {
		return nil, forbidden("host %q is not allowed", req.URL.Hostname())
	}
	for name, value := range map[string]string{"User-Agent": p.agent, "Referer": p.referer} {
		if value != "" && req.Header.Get(name) == "" {
			req = req.Clone(req.Context())
			req.Header.Set(name, value)
		}
	}
	if p.instead != "" {
		return p.askInstead(req)
	}
	return p.next.RoundTrip(req)
}

// askInstead asks the stand-in. To whoever asked, the answer is the host's own, so that redirects are relative to it.
func (p *polite) askInstead(req *http.Request) (*http.Response, error) {
	to, err := url.Parse(p.instead + "/" + req.URL.Host + req.URL.RequestURI())
	if err != nil {
		return nil, err
	}
	there := req.Clone(req.Context())
	there.URL, there.Host = to, ""
	res, err := p.next.RoundTrip(there)
	if res != nil {
		res.Request = req
	}
	return res, err
}

// Secure reports whether an address is asked over TLS, or lies on this machine.
func Secure(u *url.URL) bool {
	addr, err := netip.ParseAddr(u.Hostname())
	return u.Scheme == "https" || err == nil && addr.IsLoopback()
}

// CloseIdleConnections lets http.Client reach the transport.
func (p *polite) CloseIdleConnections() { p.next.CloseIdleConnections() }

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

// reserved are ranges that are neither public nor covered by netip's own predicates.
var reserved = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),
	netip.MustParsePrefix("100.64.0.0/10"), // carrier NAT; cloud metadata lives here too
	netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("64:ff9b::/96"), // addresses of the old protocol in disguise
	netip.MustParsePrefix("2002::/16"),
}

// publicOnly refuses connections to addresses that are not public.
func publicOnly(_ context.Context, _, address string, _ syscall.RawConn) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return forbidden("address %q: %w", address, err)
	}
	if addr, err := netip.ParseAddr(host); err != nil || !Public(addr) {
		return forbidden("address %s is not public", host)
	}
	return nil
}

// PublicName reports whether a name may be one of the open internet. Where it leads is looked at when it is dialled.
func PublicName(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if addr, err := netip.ParseAddr(host); err == nil {
		return Public(addr)
	}
	end := host[strings.LastIndexByte(host, '.')+1:]
	return strings.Contains(host, ".") && !slices.Contains([]string{"local", "localhost", "internal", "lan", "home", "intranet", "arpa"}, end) &&
		strings.Trim(end, "0123456789") != ""
}

// Public reports whether an address belongs to the open internet.
func Public(addr netip.Addr) bool {
	addr = addr.Unmap().WithZone("")
	if !addr.IsValid() || !addr.IsGlobalUnicast() || addr.IsPrivate() || addr.IsLoopback() || addr.IsLinkLocalUnicast() {
		return false
	}
	return !slices.ContainsFunc(reserved, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// ErrTooLarge says that a body exceeds what the reader accepts.
var ErrTooLarge = errors.New("body too large")

// Read makes an exchange and reads its body of at most max bytes, whatever its status.
func Read(client *http.Client, req *http.Request, max int64) (*http.Response, []byte, error) {
	resp, err := client.Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer Drain(resp)
	body, err := ReadBody(resp, max)
	return resp, body, err
}

// Call is one exchange whose answer is read whole.
type Call struct {
	Method  string // "" = GET
	Address string // which no error of Do names: it may be secret
	Header  map[string]string
	Body    []byte
	Within  time.Duration // with the answer; 0 = as long as the client gives it
	Most    int64         // bytes of the answer
}

// Do makes the exchange and reads its answer, whatever its status. Its error is for Fault.
func (c Call) Do(ctx context.Context, client *http.Client) (*http.Response, []byte, error) {
	if c.Within > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.Within)
		defer cancel()
	}
	req, err := http.NewRequestWithContext(ctx, cmp.Or(c.Method, http.MethodGet), c.Address, bytes.NewReader(c.Body))
	if err != nil {
		return nil, nil, footy.Errorf(footy.CodeInvalid, "write request", "its address cannot be read")
	}
	for name, value := range c.Header {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	return Read(client, req, c.Most)
}

// JSON makes a request with a JSON body; nil has none.
func JSON(ctx context.Context, method, address string, body any) (*http.Request, error) {
	var sent io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return nil, footy.Wrap(footy.CodeInvalid, "write request", err)
		}
		sent = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(ctx, method, address, sent)
	if err != nil { // its own words hold the address, which may be secret
		return nil, footy.Errorf(footy.CodeInvalid, "write request", "its address cannot be read")
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	return req, nil
}

// Refused is what a status says that is no answer of who was asked.
func Refused(op, who string, resp *http.Response, now time.Time) *footy.Error {
	e := footy.Errorf(footy.CodeUnavailable, op, "%s answers with HTTP %d", who, resp.StatusCode)
	switch resp.StatusCode {
	case http.StatusTooManyRequests:
		e.Code, e.RetryAfter = footy.CodeRateLimited, cmp.Or(RetryAfter(resp.Header, now), time.Minute)
	case http.StatusUnauthorized, http.StatusForbidden:
		e.Code = footy.CodeAuthRequired
	}
	return e
}

// ReadBody reads a whole body of at most max bytes; a longer one is an error, never a silent cut.
func ReadBody(r *http.Response, max int64) ([]byte, error) {
	if r.ContentLength > max {
		return nil, ErrTooLarge
	}
	data, err := io.ReadAll(io.LimitReader(r.Body, max+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > max {
		return nil, ErrTooLarge
	}
	return data, nil
}

// Drain empties and closes a body whose content does not matter, so that its connection is used again.
func Drain(r *http.Response) {
	_, _ = io.Copy(io.Discard, io.LimitReader(r.Body, 64<<10))
	_ = r.Body.Close()
}

// Fault translates the error of an exchange that gave no response. What was forbidden stays so; all else is "could not
// look", which is never "nothing found".
func Fault(op string, err error) error {
	if e, ok := errors.AsType[*footy.Error](err); ok {
		return footy.Wrap(e.Code, op, err)
	}
	return footy.Wrap(footy.CodeUnavailable, op, network.InWords(err))
}

// Timeout reports whether an exchange failed because time ran out.
func Timeout(err error) bool {
	var n net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &n) && n.Timeout()
}

// RetryAfter reads the header of that name, in seconds or as a date; 0 where there is none.
func RetryAfter(h http.Header, now time.Time) time.Duration {
	v := h.Get("Retry-After")
	if s, err := strconv.Atoi(v); err == nil && s > 0 {
		return time.Duration(s) * time.Second
	}
	if t, err := http.ParseTime(v); err == nil && t.After(now) {
		return t.Sub(now)
	}
	return 0
}
