// Package proxy stands between the product and what it depends on, and breaks what lies between them.
package proxy

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"

	"github.com/found-footy/found-footy/bench/chaos/port"
)

// Proxies are the proxies of one day.
type Proxies struct {
	server *toxiproxy.ApiServer // wanted by the library; it never listens
	mu     sync.Mutex
	all    map[string]*toxiproxy.Proxy
}

// New returns no proxies yet.
func New() *Proxies {
	zerolog.SetGlobalLevel(zerolog.Disabled) // some of its parts have a log of their own
	return &Proxies{server: toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop()), all: map[string]*toxiproxy.Proxy{}}
}

// Add puts a proxy in front of an address and returns its own.
func (p *Proxies) Add(ctx context.Context, name, upstream string) (string, error) {
	at, err := port.Free(ctx) // it comes back there once it was cut
	if err != nil {
		return "", fmt.Errorf("proxy in front of %s: %w", name, err)
	}
	return p.put(name, at, upstream)
}

func (p *Proxies) put(name, listen, upstream string) (string, error) {
	x := toxiproxy.NewProxy(p.server, name, listen, upstream)
	if err := x.Start(); err != nil {
		return "", fmt.Errorf("proxy in front of %s: %w", name, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all[name] = x
	return x.Listen, nil
}

// renew ends all connections and begins anew on the same port. Taking trouble away from a connection that is about to end
// makes the library miscount and panic the next time; a proxy that never had any cannot.
func (p *Proxies) renew(old *toxiproxy.Proxy) error {
	old.Stop()
	_, err := p.put(old.Name, old.Listen, old.Upstream)
	return err
}

func (p *Proxies) of(name string) (*toxiproxy.Proxy, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	x, ok := p.all[name]
	if !ok {
		return nil, fmt.Errorf("no proxy in front of %q", name)
	}
	return x, nil
}

// Cut refuses connections and ends those that are open.
func (p *Proxies) Cut(name string) (restore func() error, err error) {
	x, err := p.of(name)
	if err != nil {
		return nil, err
	}
	x.Stop()
	return func() error { return p.renew(x) }, nil
}

// Toxic is trouble on open connections, in the words of the library.
type Toxic struct{ Type, Stream, Attributes string }

// What the trouble can be.
var (
	HalfOpen = []Toxic{{"timeout", "downstream", `{"timeout":0}`}, {"timeout", "upstream", `{"timeout":0}`}}
	Slow     = []Toxic{{"latency", "downstream", `{"latency":1500,"jitter":500}`}, {"bandwidth", "downstream", `{"rate":30}`}, {"bandwidth", "upstream", `{"rate":30}`}}
	Reset    = []Toxic{{"reset_peer", "downstream", `{"timeout":0}`}}
)

// Poison troubles all connections, also those that are open.
func (p *Proxies) Poison(name string, toxics []Toxic) (restore func() error, err error) {
	x, err := p.of(name)
	if err != nil {
		return nil, err
	}
	for i, t := range toxics {
		body := fmt.Sprintf(`{"name":"t%d","type":%q,"stream":%q,"toxicity":1,"attributes":%s}`, i, t.Type, t.Stream, t.Attributes)
		if _, err := x.Toxics.AddToxicJson(strings.NewReader(body)); err != nil {
			return nil, fmt.Errorf("trouble %s with %s: %w", name, t.Type, err)
		}
	}
	return func() error { return p.renew(x) }, nil
}

// Close ends all of them.
func (p *Proxies) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, x := range p.all {
		x.Stop()
	}
}
