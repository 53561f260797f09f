package main

import (
	"context"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/found-footy/found-footy/bench/rig"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// cycles runs whole monitor cycles for growing numbers of live matches.
func cycles(ctx context.Context, devstack string) error {
	at, dir, stop, err := rig.Engine(ctx, devstack)
	if err != nil {
		return err
	}
	defer stop()
	fmt.Printf("One monitor cycle through Temporal, SQLite and a simulated feed over HTTP (every 30 s in a real run)\n"+
		"%8s %-24s %7s %11s %16s %8s %11s %11s %6s\n", "matches", "what happened", "wall s", "feed calls", "activities", "history", "live writes", "other writes", "told")
	for _, n := range []int{20, 200, 1_000} {
		if err := grow(ctx, at, filepath.Join(dir, fmt.Sprint(n)), n); err != nil {
			return err
		}
	}
	fmt.Println("\nactivities: how many, of how many allowed (4 + one per 20 matches). writes: transactions/documents.")
	return nil
}

func grow(ctx context.Context, at map[string]string, dir string, n int) error {
	feed := rig.NewFeed()
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	srv := &http.Server{Handler: feed, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = srv.Serve(l) }() // always ends with ErrServerClosed
	defer srv.Close()                //nolint:errcheck // nobody else is served
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	set := map[string]string{"API_FOOTBALL_URL": "http://" + l.Addr().String(), "API_FOOTBALL_KEY": "bench"}
	maps.Copy(set, at)
	r, err := rig.Start(ctx, rig.Options{Dir: dir, Set: set})
	if err != nil {
		return err
	}
	defer r.Stop()
	if err := r.Seed(ctx, feed, n); err != nil {
		return err
	}
	for i, step := range []struct {
		name string
		do   func()
	}{
		{"first cycle, sweeps too", func() {}},
		{"nothing", func() {}},
		{"clocks moved on", func() { feed.Tick(1) }},
		{"a goal in every tenth", func() {
			for id := int64(rig.FirstID); id < rig.FirstID+int64(n); id += 10 {
				feed.Goal(id)
			}
		}},
		{"goal in all others too", func() {
			for id := int64(rig.FirstID); id < rig.FirstID+int64(n); id++ {
				feed.Goal(id)
			}
		}},
	} {
		step.do()
		c, err := r.Cycle(ctx, feed, fmt.Sprintf("cycle-%d-%d", n, i), n)
		if err != nil {
			return err
		}
		show(c, step.name)
	}
	return nil
}

func show(c rig.Cycle, what string) {
	live := c.Writes[store.FixturesLive]
	var other rig.Tally
	for name, t := range c.Writes {
		if name != store.FixturesLive {
			other.Calls, other.Rows = other.Calls+t.Calls, other.Rows+t.Rows
		}
	}
	fmt.Printf("%8d %-24s %7.2f %11d %9d of %3d %8d %11s %12s %6d\n", c.Fixtures, what, c.Wall.Seconds(), c.Calls, c.Cost.Activities, rig.Budget(c.Fixtures),
		c.Cost.Events, fmt.Sprintf("%d/%d", live.Calls, live.Rows), fmt.Sprintf("%d/%d", other.Calls, other.Rows), c.Told)
}
