// Package teller runs what reports news outside of the page: to addresses, channels, accounts and devices. Each looks for itself, so that
// none waits for another.
package teller

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web/stream"
)

// Teller reports to one target, and keeps its own record of what it reported.
type Teller struct {
	Name    string // without secrets
	SendNew func(ctx context.Context) error
	Test    func(ctx context.Context) (did string, err error) // nil: it cannot be tried
}

// List is what can be tried, in the order in which people see it.
type List []Teller

// Testable are those that can be tried.
func Testable(all []Teller) List {
	return slices.DeleteFunc(slices.Clone(all), func(t Teller) bool { return t.Test == nil })
}

// Targets names them.
func (l List) Targets() []string {
	out := make([]string, len(l))
	for i, t := range l {
		out[i] = t.Name
	}
	return out
}

// TestOne tries one target, by its place in Targets.
func (l List) TestOne(ctx context.Context, place int) (did string, err error) {
	if place < 0 || place >= len(l) {
		return "", footy.Errorf(footy.CodeNotFound, "test notifications", "There is no target %d.", place)
	}
	return l[place].Test(ctx)
}

const (
	lookEvery = 20 * time.Second
	minPause  = time.Second // a match day wakes several times a second
)

// Run has each look at once, every 20 s and when readers of the page get news, until ctx ends.
func Run(ctx context.Context, all []Teller, hub *stream.Hub, log *slog.Logger) {
	r := hub.Subscribe()
	stop := context.AfterFunc(ctx, r.Close)
	defer stop()
	var running sync.WaitGroup
	defer running.Wait()
	wakes := make([]chan struct{}, len(all))
	for i, t := range all {
		wakes[i] = make(chan struct{}, 1)
		running.Go(func() { t.run(ctx, wakes[i], log) })
	}
	for range r.C {
		_ = r.Take() // whatever it is, each looks
		for _, w := range wakes {
			select {
			case w <- struct{}{}:
			default: // it will look anyway
			}
		}
	}
}

func (t Teller) run(ctx context.Context, wake <-chan struct{}, log *slog.Logger) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	logged := ""
	for {
		err := t.SendNew(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			logged = ""
		case err.Error() != logged: // once, not every twenty seconds
			logged = err.Error()
			log.WarnContext(ctx, "notifications wait", "module", "alert", "action", "look", "target", t.Name, "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-wake:
			select {
			case <-ctx.Done():
				return
			case <-time.After(minPause):
			}
		}
	}
}
