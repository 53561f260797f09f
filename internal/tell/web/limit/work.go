package limit

import (
	"context"
	"net/http"
	"net/netip"
	"runtime"
	"time"
)

// Work is counted in tokens of a tenth of a millisecond of one core, as measured on a day of 200 matches.
const token = 100 * time.Microsecond

// Cost is what a request costs before anything is built for it. What is built is measured as it goes.
type Cost int

// Costs.
const (
	Page   Cost = iota // a goal is read and its page drawn
	Bytes              // a picture, a piece of a clip, a style sheet
	Cached             // an answer that is there already is sent
	Dear               // a search, or work that is begun for the asker
)

func (l *Limits) cost(r *http.Request) int {
	cost := Page
	if l.opt.Cost != nil {
		cost = l.opt.Cost(r)
	}
	if r.URL.Query().Has("q") {
		cost = Dear
	}
	return min([...]int{Page: 40, Bytes: 1, Cached: 5, Dear: l.opt.Bounds.SearchCost}[cost], l.opt.Bounds.Burst)
}

type visitorKey struct{}

// worker is how a request's context names who asks.
type worker struct {
	addr    netip.Addr
	trusted bool
}

// Work does what costs processor time for a request: few at once for all, fewer for one address, and counted to it by the time it took. Of
// an address that has used up half of what it may, as many work at once as leave room for others.
func (l *Limits) Work(ctx context.Context, do func() error) error {
	who, asked := ctx.Value(visitorKey{}).(worker)
	if !asked || who.trusted {
		return do()
	}
	leave, err := l.queue(ctx, who.addr)
	if err != nil {
		return err
	}
	began := l.opt.Now()
	defer func() { leave(l.opt.Now().Sub(began)) }()
	return do()
}

func (l *Limits) queue(ctx context.Context, addr netip.Addr) (leave func(time.Duration), err error) {
	b := l.opt.Bounds
	l.mu.Lock()
	v := l.visitor(addr)
	now := l.opt.Now()
	tokens := v.rate.TokensAt(now)
	switch {
	case v.working >= b.Works:
		l.mu.Unlock()
		return nil, tooMany(time.Second, "Too much is being built for your address.")
	case tokens < 0:
		l.mu.Unlock()
		return nil, tooMany(wait(v.rate, now, 1), "Your address asks for too much.")
	}
	v.working++
	l.mu.Unlock()
	done := func(took time.Duration) {
		l.mu.Lock()
		defer l.mu.Unlock()
		v.working--
		v.rate.ReserveN(l.opt.Now(), min(int(took/token), b.Burst))
	}
	lanes := []chan struct{}{l.works}
	if tokens < float64(b.Burst)/2 {
		lanes = []chan struct{}{l.heavy, l.works}
	}
	for i, lane := range lanes {
		select {
		case lane <- struct{}{}:
		case <-ctx.Done():
			for _, had := range lanes[:i] {
				<-had
			}
			done(0)
			return nil, busy("Too much is being built.")
		}
	}
	return func(took time.Duration) {
		for _, had := range lanes {
			<-had
		}
		done(took)
	}, nil
}

// lanes are how many build at once: half of the cores, two at least; addresses that ask for much leave one of them to others.
func lanes() (works, heavy chan struct{}) {
	n := max(2, runtime.GOMAXPROCS(0)/2)
	return make(chan struct{}, n), make(chan struct{}, n-1)
}
