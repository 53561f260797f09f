// Command orchestration measures what workflows cost Temporal, in activities and events of history: of the recorded
// match day, and of whole goals played now.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"time"
)

type options struct {
	devstack  string
	histories string
	every     time.Duration
}

func main() {
	var o options
	flag.StringVar(&o.devstack, "devstack", "", "footy-devstack to run; empty: the one beside this program or in PATH")
	flag.StringVar(&o.histories, "histories", "internal/pipeline/testdata/histories/1.0.0", "directory of recorded histories")
	flag.DurationVar(&o.every, "every", 3*time.Second, "time between two searches of a goal; a real run takes a minute")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "bench-orchestration:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	fmt.Printf("Orchestration cost on %d cores, %s, %s\n\n", runtime.NumCPU(), runtime.GOOS, runtime.Version())
	if err := recorded(o.histories); err != nil {
		return err
	}
	if err := goals(ctx, o); err != nil {
		return err
	}
	return certain(ctx, o.devstack)
}
