package httpx

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Proxy is the way out for a program of others that makes its own connections: it confines them as New confines a client's, on every hop and
// after every look-up of a name. It listens on this machine, and leads nobody anywhere but to the allowed hosts.
type Proxy struct {
	URL string

	opts    Options
	server  *http.Server
	forward http.Handler
	dialer  net.Dialer
	ctx     context.Context //nolint:containedctx // of the tunnels, which outlive the requests that opened them
	cancel  context.CancelFunc
	tunnels sync.WaitGroup

	mu      sync.Mutex
	refused error
}

// NewProxy starts a proxy, which lives until it is closed.
func NewProxy(o Options) (*Proxy, error) {
	var listen net.ListenConfig
	l, err := listen.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, footy.Wrap(footy.CodeUnavailable, "open a proxy on this machine", err)
	}
	p := &Proxy{URL: "http://" + l.Addr().String(), opts: o, dialer: net.Dialer{Timeout: 10 * time.Second}}
	if o.DenyPrivate {
		p.dialer.ControlContext = guard(o.AllowLocal)
	}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	p.forward = &httputil.ReverseProxy{Rewrite: func(*httputil.ProxyRequest) {}, Transport: New(o).Transport,
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) { p.refuse(w, err) }}
	p.server = &http.Server{Handler: p, ReadHeaderTimeout: 10 * time.Second}
	p.tunnels.Go(func() { _ = p.server.Serve(l) })
	return p, nil
}

// Close ends the proxy and every connection through it.
func (p *Proxy) Close() {
	p.cancel()
	_ = p.server.Close()
	p.tunnels.Wait()
}

// Refused is why the first exchange that was not let through was not; nil if all were.
func (p *Proxy) Refused() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.refused
}

// refuse answers one exchange that came to nothing. Only what is not allowed is noted: all else is the network's doing.
func (p *Proxy) refuse(w http.ResponseWriter, err error) {
	status := http.StatusBadGateway
	if footy.CodeOf(Fault("pass on", err)) == footy.CodeRejected {
		status = http.StatusForbidden
		p.mu.Lock()
		if p.refused == nil {
			p.refused = err
		}
		p.mu.Unlock()
	}
	w.WriteHeader(status)
}

// ServeHTTP implements http.Handler.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodConnect {
		p.forward.ServeHTTP(w, r)
		return
	}
	if !Allowed(r.Host, p.opts.AllowHosts) {
		p.refuse(w, forbidden("host %q is not allowed", r.URL.Hostname()))
		return
	}
	there, err := p.dialer.DialContext(r.Context(), "tcp", r.Host)
	if err != nil {
		p.refuse(w, err)
		return
	}
	here, _, err := http.NewResponseController(w).Hijack() // the client waits for our answer, so nothing lies in the buffer
	if err != nil {
		_ = there.Close()
		p.refuse(w, err)
		return
	}
	p.tunnels.Go(func() { p.tunnel(here, there) })
}

// tunnel passes bytes on until one side ends, or the proxy does.
func (p *Proxy) tunnel(here, there net.Conn) {
	done := context.AfterFunc(p.ctx, func() { _, _ = here.Close(), there.Close() })
	defer done()
	if _, err := io.WriteString(here, "HTTP/1.1 200 Connection established\r\n\r\n"); err == nil {
		p.tunnels.Go(func() {
			_, _ = io.Copy(there, here)
			_, _ = here.Close(), there.Close()
		})
		_, _ = io.Copy(here, there)
	}
	_, _ = here.Close(), there.Close()
}
