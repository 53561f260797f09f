package store

import (
	"context"
	"sync"
	"time"
)

// Leases let one of several processes do what must be done once. A holder that has not been heard of for LeaseFor loses its
// lease. No clocks are compared: everybody measures how long the holder's beat has stood still.
type Leases struct {
	store State
	now   func() time.Time
	own   string

	mu   sync.Mutex
	held map[string]time.Time // until when a lease needs no beat
	seen map[string]sighting
}

// LeaseFor is how long a holder may be silent.
const LeaseFor = 30 * time.Second

// lease is what is stored. Nobody holds one without a holder.
type lease struct {
	Holder string `json:"holder"`
	Beat   int64  `json:"beat"`
}

type sighting struct {
	lease
	since time.Time
}

// NewLeases makes the leases of the process of that name. No two that live have one name; who is started under the name of one that died
// has what that held.
func NewLeases(s State, now func() time.Time, own string) *Leases {
	return &Leases{store: s, now: now, own: own, held: map[string]time.Time{}, seen: map[string]sighting{}}
}

// Hold reports whether this process holds the lease of that name, and takes it if nobody does. It is to be asked before each
// step: a process that was stopped for a while has lost it.
func (l *Leases) Hold(ctx context.Context, name string) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.now().Before(l.held[name]) {
		return true, nil
	}
	delete(l.held, name)
	asked, held := l.now(), false
	is, err := ChangeState(ctx, l.store, leaseKey(name), func(is *lease) error {
		if held = is.Holder == "" || is.Holder == l.own || l.silent(name, *is); !held {
			return ErrUnchanged
		}
		is.Holder = l.own
		is.Beat++
		return nil
	})
	if err != nil { // one that cannot be read may have a holder that still acts: its time has to run out
		return false, Mend(ctx, l.store, leaseKey(name), lease{Holder: "unknown"}, err)
	}
	if held {
		l.held[name] = asked.Add(LeaseFor / 3)
		delete(l.seen, name)
	} else if l.seen[name].lease != is {
		l.seen[name] = sighting{is, l.now()}
	}
	return held, nil
}

// silent reports whether the holder has not been heard of for too long.
func (l *Leases) silent(name string, is lease) bool {
	s, ok := l.seen[name]
	return ok && s.lease == is && l.now().Sub(s.since) >= LeaseFor
}

// Release gives back what was held here, so that nobody waits for it.
func (l *Leases) Release(ctx context.Context) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for name := range l.held {
		_, _ = ChangeState(ctx, l.store, leaseKey(name), func(is *lease) error { // else it runs out
			if is.Holder != l.own {
				return ErrUnchanged
			}
			is.Holder = ""
			return nil
		})
		delete(l.held, name)
	}
}

func leaseKey(name string) string { return "lease/" + name }
