// Package limit bounds what one address, and all of them together, may take from the page: requests, work at once, live streams,
// connections, bodies, slow reading and guesses at a secret. Whoever holds a right secret is let through: an attack on the page must
// not lock its operator out.
package limit

import (
	"fmt"
	"maps"
	"net/http"
	"net/netip"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
)

// Bounds are the numbers.
type Bounds struct {
	PerSecond  float64 // tokens of work of one address, in the long run: 10,000 are a core
	Burst      int     // tokens of one address at once. An office of 100 readers who open a day with its 150 pictures takes some 20,000
	SearchCost int     // tokens of a search, or of another dear request
	Works      int     // answers being built, or about to be, for one address
	Guesses    int     // wrong secrets of one address, a minute

	Open       int // requests of one address under way; an office is one address
	OpenAll    int // of all
	Streams    int // live streams of one address
	StreamsAll int // of all: 10 KB each

	Conns     int // connections of one address; above, each request is refused and its connection closed
	ConnsMost int // of one address; above, they are closed without an answer
	ConnsAll  int // of all

	Body      int64         // bytes of a request's body
	SetupBody int64         // the same, of the set-up page's forms; 0: as others
	BodyTime  time.Duration // in which it must come
	Patience  time.Duration // a reader that takes nothing for this long is gone
	Addresses int           // remembered
}

// Defaults suit a page that the whole internet may reach on a small machine.
func Defaults() Bounds {
	return Bounds{
		PerSecond: 2500, Burst: 40_000, SearchCost: 200, Works: 32, Guesses: 10,
		Open: 256, OpenAll: 2048, Streams: 192, StreamsAll: 3072,
		Conns: 900, ConnsMost: 1024, ConnsAll: 8192,
		Body: 16 << 10, BodyTime: 10 * time.Second, Patience: 20 * time.Second, Addresses: 10_000,
	}
}

// Options of the limits.
type Options struct {
	Bounds  Bounds
	Proxies []netip.Prefix // whose X-Forwarded-For is believed
	// Bearer reports whether the request carries a token, and whether it is right; SignedIn whether it carries a session.
	Bearer   func(*http.Request) (sent, right bool)
	SignedIn func(*http.Request) bool
	LogIn    []string                 // paths that take secrets by POST, and answer wrong ones with 401
	SetsUp   func(*http.Request) bool // whether the set-up page admits it; nil: there is none
	Cost     func(*http.Request) Cost
	Now      func() time.Time
	// Observe gets each answer, for metrics: its route's pattern, never the path, of which there is no end. nil: nothing is.
	Observe func(route string, status int, took time.Duration)
}

// Limits count what is under way.
type Limits struct {
	opt Options

	mu      sync.Mutex
	known   map[netip.Addr]*visitor
	open    int
	streams int
	conns   int

	works *semaphore.Weighted // room for building answers: half of the cores, two at least
}

// visitor is one address.
type visitor struct {
	rate    *rate.Limiter
	guesses *rate.Limiter
	open    int
	streams int
	conns   int
	working int
}

// New makes unused limits.
func New(opt Options) *Limits {
	return &Limits{opt: opt, known: map[netip.Addr]*visitor{}, works: semaphore.NewWeighted(int64(max(2, runtime.GOMAXPROCS(0)/2)))}
}

// visitor finds or makes the record of an address; mu is held. When there are too many, those of which nothing is under way are forgotten.
func (l *Limits) visitor(addr netip.Addr) *visitor {
	if v := l.known[addr]; v != nil {
		return v
	}
	b := l.opt.Bounds
	if len(l.known) >= b.Addresses {
		maps.DeleteFunc(l.known, func(_ netip.Addr, v *visitor) bool { return v.open+v.streams+v.conns+v.working == 0 })
	}
	v := &visitor{rate: rate.NewLimiter(rate.Limit(b.PerSecond), b.Burst), guesses: rate.NewLimiter(rate.Limit(float64(b.Guesses)/60), b.Guesses)}
	l.known[addr] = v
	return v
}

// begin counts a request in, or says why not. end is to be called when it is over.
func (l *Limits) begin(r *http.Request, cost int) (who worker, end func(), err error) {
	addr, direct := l.address(r)
	who.addr = addr
	sent, right := l.opt.Bearer(r)
	guess := sent || l.logsIn(r)
	now, b := l.opt.Now(), l.opt.Bounds
	l.mu.Lock()
	defer l.mu.Unlock()
	v := l.visitor(addr)
	if guess && v.guesses.TokensAt(now) < 1 {
		return who, nil, tooMany(wait(v.guesses, now, 1), "Too many wrong tokens came from your address. Wait a minute; a session that is open still works.")
	}
	if sent && !right {
		v.guesses.AllowN(now, 1)
	}
	if right || l.opt.SignedIn(r) {
		who.trusted = true
		return who, func() {}, nil
	}
	switch {
	case !v.rate.AllowN(now, cost):
		return who, nil, tooMany(wait(v.rate, now, cost), "Your address asks too often.")
	case v.open >= b.Open:
		return who, nil, tooMany(time.Second, "Too many requests of your address are under way.")
	case direct && v.conns > b.Conns:
		return who, nil, &answer.Error{Status: http.StatusTooManyRequests, Code: footy.CodeRateLimited, RetryAfter: time.Second, Close: true, Message: "Your address has too many connections."}
	case l.open >= b.OpenAll:
		return who, nil, busy("Too many requests are under way.")
	}
	return who, l.count(&v.open, &l.open), nil
}

// count counts one more of an address and of all of them; mu is held. end counts it out, once.
func (l *Limits) count(own, all *int) (end func()) {
	*own++
	*all++
	return sync.OnceFunc(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		*own--
		*all--
	})
}

// logsIn reports whether the request carries a secret in a form.
func (l *Limits) logsIn(r *http.Request) bool {
	return r.Method == http.MethodPost && slices.Contains(l.opt.LogIn, r.URL.Path)
}

// guessed counts a wrong secret.
func (l *Limits) guessed(r *http.Request) {
	addr, _ := l.address(r)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.visitor(addr).guesses.AllowN(l.opt.Now(), 1)
}

// Stream bounds how many follow the live stream. A stream is no request under way: it lasts, until next calls over or fails.
func (l *Limits) Stream(next func(w http.ResponseWriter, r *http.Request, over func()) error) answer.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		addr, _ := l.address(r)
		_, right := l.opt.Bearer(r)
		leave, err := l.join(addr, right || l.opt.SignedIn(r))
		if err != nil {
			return err
		}
		if err = next(w, r, leave); err != nil {
			leave()
		}
		return err
	}
}

func (l *Limits) join(addr netip.Addr, trusted bool) (leave func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	v := l.visitor(addr)
	switch {
	case trusted:
	case v.streams >= l.opt.Bounds.Streams:
		return nil, tooMany(10*time.Second, "Too many live streams go to your address.")
	case l.streams >= l.opt.Bounds.StreamsAll:
		return nil, busy("Too many follow the live stream.")
	}
	return l.count(&v.streams, &l.streams), nil
}

// wait is how long a limiter needs for n more.
func wait(of *rate.Limiter, now time.Time, n int) time.Duration {
	return time.Duration((float64(n) - of.TokensAt(now)) / float64(of.Limit()) * float64(time.Second))
}

func tooMany(after time.Duration, why string) error {
	return &answer.Error{Status: http.StatusTooManyRequests, Code: footy.CodeRateLimited, RetryAfter: after, Message: fmt.Sprintf("%s Try again in %d s.", why, answer.Seconds(after))}
}

func busy(why string) error {
	const after = 5 * time.Second
	return &answer.Error{Status: http.StatusServiceUnavailable, Code: footy.CodeUnavailable, RetryAfter: after, Message: fmt.Sprintf("%s Try again in %d s.", why, answer.Seconds(after))}
}
