// Package ration is the order in which a search is paid for: by another goal's answer, else from the account's budget, in
// company of the match's other open goals where calls are scarce. It keeps no clock and asks nobody.
package ration

import (
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/browser/budget"
	"github.com/found-footy/found-footy/internal/browser/scan"
	"github.com/found-footy/found-footy/internal/browser/share"
	"github.com/found-footy/found-footy/internal/source"
)

// Ration is the one account's; its methods may be called by several tabs.
type Ration struct {
	Budget  *budget.Budget
	Desk    *share.Desk
	Scrolls int // further pages of one search while there is plenty

	mu       sync.Mutex
	promised map[string]time.Time // goal -> when it will come back
}

// Order is one search as it will be made.
type Order struct {
	Query source.Query // what to ask X
	For   source.Query // what was asked of us
	texts []string
}

// Shared is an answer that another goal of the match has just paid for.
func (r *Ration) Shared(now time.Time, q source.Query) (source.Result, bool) {
	return r.Desk.Answer(now, q)
}

// Order widens a query to the match's other open goals once half of the window is gone.
func (r *Ration) Order(now time.Time, q source.Query) Order {
	o := Order{Query: q, For: q, texts: []string{q.Text}}
	if r.Budget.State(now).Tight() {
		o.Query, o.texts = r.Desk.Merge(now, q)
	}
	return o
}

// Begin pays for the first page and says how far the search may go; otherwise how long to wait. A goal in company does not
// wait for its own turn alone: another may pay for both.
func (r *Ration) Begin(now time.Time, o Order) (s *scan.Scan, wait time.Duration) {
	left := r.Budget.State(now)
	_, ok := r.Budget.Take(now)
	r.mu.Lock()
	defer r.mu.Unlock()
	if !ok {
		wait = r.Budget.After(now, r.ahead(now, o.For))
		if r.Desk.Company(now, o.For) {
			wait = min(wait, r.Desk.Patience())
		}
		r.promise(now.Add(wait), o.For)
		return nil, wait
	}
	delete(r.promised, goal(o.For))
	return scan.New(o.Query, left.Allowance(r.Scrolls)), 0
}

// Deliver keeps an answer for the goals it covers and cuts out what this one asked for.
func (r *Ration) Deliver(now time.Time, o Order, res source.Result) source.Result {
	r.Desk.Put(now, o.For, o.Query, o.texts, res)
	res.Candidates = source.Select(o.For, res.Candidates)
	return res
}

// goal is who asks: its match, and how far back it looks.
func goal(q source.Query) string { return q.Group + " " + q.Since.UTC().Format(time.RFC3339Nano) }

// ahead counts the goals that were sent away and will be back sooner: each is told of a call of its own, so that they do
// not all come for the first one. A promise is no claim: who comes takes what is there.
func (r *Ration) ahead(now time.Time, q source.Query) int {
	n := 0
	for other, at := range r.promised {
		switch {
		case at.Before(now):
			delete(r.promised, other)
		case other != goal(q):
			n++
		}
	}
	return n
}

func (r *Ration) promise(at time.Time, q source.Query) {
	if r.promised == nil {
		r.promised = map[string]time.Time{}
	}
	r.promised[goal(q)] = at
}
