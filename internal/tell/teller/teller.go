// Package teller runs what reports news outside of the page: to addresses, channels, accounts and devices. Each looks for itself, so that
// none waits for another.
package teller

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/tell/web/stream"
)

// Teller reports to one target, and keeps its own record of what it reported.
type Teller struct {
	Name    string // without secrets
	SendNew func(ctx context.Context) error
	Test    func(ctx context.Context) (did string, err error) // nil: it cannot be tried
}

// Testable are those that can be tried, in the order in which people see them.
func Testable(all []Teller) []Teller {
	return slices.DeleteFunc(slices.Clone(all), func(t Teller) bool { return t.Test == nil })
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
			if network.Pause(ctx, minPause) != nil {
				return
			}
		}
	}
}
