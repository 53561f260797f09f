package quota

import (
	"cmp"
	"sync"
	"time"
)

// Options of a budget. X allows 50 calls in 15 minutes; the rest is for the person whose account it is.
type Options struct {
	Limit  int           // calls we allow ourselves in a window; 0 = 40
	Window time.Duration // X's window; 0 = Window
}

// Window is that of X.
const Window = 15 * time.Minute

// Budget never allows more than Limit calls in any window, and never more than X itself says is left. It is safe for use
// by several tabs.
type Budget struct {
	mu           sync.Mutex
	opts         Options
	calls        []time.Time // of the last window, oldest first
	remaining    int         // what X says is left for us; -1 = unknown
	resetAt      time.Time   // when X counts anew
	blockedUntil time.Time   // X refused: nothing before this
}

// NewBudget makes a budget; zero options take their defaults.
func NewBudget(o Options) *Budget {
	o.Limit, o.Window = cmp.Or(max(o.Limit, 0), 40), cmp.Or(max(o.Window, 0), Window)
	return &Budget{opts: o, remaining: -1}
}

// Take reserves one call; otherwise it says how long to wait for the next.
func (b *Budget) Take(now time.Time) (wait time.Duration, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.expire(now)
	if wait = b.wait(now); wait > 0 {
		return wait, false
	}
	b.calls = append(b.calls, now)
	if b.remaining > 0 {
		b.remaining--
	}
	return 0, true
}

// Refund gives back a call that was taken and never made.
func (b *Budget) Refund() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n := len(b.calls); n > 0 {
		b.calls = b.calls[:n-1]
	}
	if b.remaining >= 0 {
		b.remaining++
	}
}

// Headers are X's own account of the window.
type Headers struct {
	Limit     int
	Remaining int // -1 = not said
	Reset     time.Time
}

// Observe believes X's headers: the person may be browsing with the same account.
func (b *Budget) Observe(now time.Time, h Headers) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if h.Remaining < 0 || !h.Reset.After(now) || h.Reset.Sub(now) > 2*b.opts.Window {
		return // not said, stale, or another clock than ours
	}
	b.remaining, b.resetAt = max(h.Remaining-max(h.Limit-b.opts.Limit, 0), 0), h.Reset
}

// Block stops all calls until X's reset: it answered 429. Errors can linger after the reset, so a blind wait has a floor.
func (b *Budget) Block(now, until time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if floor := now.Add(b.opts.Window / 15); until.Before(floor) {
		until = floor
	}
	if ceiling := now.Add(2 * b.opts.Window); until.After(ceiling) {
		until = ceiling
	}
	if until.After(b.blockedUntil) {
		b.blockedUntil = until
	}
}

// State is the budget as people see it.
type State struct {
	Limit, Left int
	Wait        time.Duration // until the next call is allowed; 0 = now
	ResetsAt    time.Time     // when something becomes free again
}

// Tight tells that half of the window is gone: open goals of a match should share.
func (s State) Tight() bool { return 2*s.Left <= s.Limit }

// ExtraPages is how many further pages one search may have: all while there is plenty, one once half of the window is
// gone, none in its last quarter. The next search of a young goal comes within a minute; the first search of another cannot wait.
func (s State) ExtraPages(scrolls int) int {
	switch {
	case 4*s.Left <= s.Limit:
		return 0
	case s.Tight():
		return min(scrolls, 1)
	}
	return scrolls
}

// State tells what is left.
func (b *Budget) State(now time.Time) State {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.expire(now)
	s := State{Limit: b.opts.Limit, Left: max(b.opts.Limit-len(b.calls), 0), Wait: b.wait(now)}
	if b.remaining >= 0 {
		s.Left = min(s.Left, b.remaining)
	}
	switch {
	case s.Wait > 0:
		s.Left, s.ResetsAt = 0, now.Add(s.Wait)
	case b.remaining >= 0:
		s.ResetsAt = b.resetAt
	case len(b.calls) > 0:
		s.ResetsAt = b.calls[0].Add(b.opts.Window)
	}
	return s
}

func (b *Budget) expire(now time.Time) {
	n := 0
	for n < len(b.calls) && !b.calls[n].Add(b.opts.Window).After(now) {
		n++
	}
	b.calls = b.calls[n:]
	if b.remaining >= 0 && !b.resetAt.After(now) {
		b.remaining = -1
	}
}

func (b *Budget) wait(now time.Time) time.Duration {
	var w time.Duration
	if n := len(b.calls) - b.opts.Limit; n >= 0 {
		w = b.calls[n].Add(b.opts.Window).Sub(now)
	}
	if b.remaining == 0 {
		w = max(w, b.resetAt.Sub(now))
	}
	return max(w, b.blockedUntil.Sub(now), 0)
}
