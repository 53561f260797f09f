package limit

import (
	"context"
	"net/http"
	"net/netip"
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
	cost := l.opt.Cost(r)
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

// Work does what costs processor time for a request: few at once for all, and counted to its address by the time it took.
func (l *Limits) Work(ctx context.Context, do func() error) error {
	who, asked := ctx.Value(visitorKey{}).(worker)
	if !asked || who.trusted {
		return do()
	}
	v, err := l.admit(who.addr)
	if err != nil {
		return err
	}
	var took time.Duration
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		v.working--
		v.rate.ReserveN(l.opt.Now(), min(int(took/token), l.opt.Bounds.Burst))
	}()
	if l.works.Acquire(ctx, 1) != nil {
		return busy("Too much is being built.")
	}
	defer l.works.Release(1)
	began := l.opt.Now()
	err = do()
	took = l.opt.Now().Sub(began)
	return err
}

// admit counts work of an address in, or says why not.
func (l *Limits) admit(addr netip.Addr) (*visitor, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	v, now := l.visitor(addr), l.opt.Now()
	switch {
	case v.working >= l.opt.Bounds.Works:
		return nil, tooMany(time.Second, "Too much is being built for your address.")
	case v.rate.TokensAt(now) < 0:
		return nil, tooMany(wait(v.rate, now, 1), "Your address asks for too much.")
	}
	v.working++
	return v, nil
}
