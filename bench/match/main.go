// Command match measures match truth: what decoding and deciding cost per fixture and how that grows, and what a whole
// monitor cycle takes through Temporal, SQLite and a simulated feed.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
)

type options struct {
	devstack string
	cycles   bool
	days     []string
}

func main() {
	var o options
	flag.StringVar(&o.devstack, "devstack", "", "footy-devstack to run; empty: the one beside this program or in PATH")
	flag.BoolVar(&o.cycles, "cycles", true, "also run whole cycles")
	flag.Parse()
	o.days = flag.Args()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "bench-match:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	fmt.Printf("Match truth on %d cores, %s, %s\n\n", runtime.NumCPU(), runtime.GOOS, runtime.Version())
	polls()
	if err := days(o.days); err != nil {
		return err
	}
	if !o.cycles {
		return nil
	}
	return cycles(ctx, o.devstack)
}
