// Command chaos plays a match day on real processes that are killed, cut off and slowed down by a seeded plan, and compares
// what is shown at the end with a day on which nothing went wrong.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

func main() {
	o := Options{Out: os.Stdout}
	flag.StringVar(&o.Footy, "footy", "bin/footy", "program to test")
	flag.StringVar(&o.Devstack, "devstack", "bin/footy-devstack", "its engine and its object store")
	flag.StringVar(&o.Clips, "clips", "", "cache of drawn clips; the demo's unless named")
	flag.StringVar(&o.Dir, "dir", "", "where the days are kept; a temporary directory unless named")
	flag.Uint64Var(&o.Seed, "seed", 1, "first seed")
	flag.IntVar(&o.N, "n", 1, "how many seeds, one after the other")
	flag.BoolVar(&o.Short, "short", false, "each kind of fault once")
	flag.BoolVar(&o.PlanOnly, "plan", false, "print the plans and play nothing")
	flag.BoolVar(&o.Calm, "calm", false, "play the calm day alone")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	same, err := Run(ctx, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "chaos:", err)
	}
	if err != nil || !same {
		stop()
		os.Exit(1)
	}
}

// clipCache is where footy keeps the clips it has drawn.
func clipCache(named string) (string, error) {
	if named != "" {
		return filepath.Abs(named)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "found-footy", "world-clips"), nil
}
