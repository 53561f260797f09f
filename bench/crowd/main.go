// Command crowd lets many goals fall at once and measures what one, two and four workers make of them: processes of their own on one
// engine, one database and one model, as several machines would be. What it tells is work and waits; on one machine the seconds alone
// say how many cores it has.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/found-footy/found-footy/internal/decide/clip/delay"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

type options struct {
	footy, devstack string
	clips           string
	goals, scale    int
	on              string
	noModel         bool
	patience        time.Duration
}

func main() {
	var o options
	flag.StringVar(&o.footy, "footy", "bin/footy", "program to measure")
	flag.StringVar(&o.devstack, "devstack", "bin/footy-devstack", "its engine")
	flag.StringVar(&o.clips, "clips", "", "cache of drawn clips; the demo's unless named")
	flag.IntVar(&o.goals, "goals", 60, "goals that fall at once, 170 at most: names of more would be the same")
	flag.StringVar(&o.on, "on", onX, "where the goals are posted: x, reddit or both")
	flag.BoolVar(&o.noModel, "no-model", false, "prove clips by their running clock alone")
	flag.IntVar(&o.scale, "scale", 6, "how much faster than life searches follow each other")
	flag.DurationVar(&o.patience, "patience", 30*time.Minute, "of one run")
	numbers := flag.String("workers", "1,2,4", "how many workers, a run each")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, o, strings.Split(*numbers, ","))
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options, numbers []string) error {
	fmt.Printf("%d goals at once, %d posts each, searches every %.0f s\n\n", o.goals, len(kinds), 60/float64(o.scale))
	fmt.Println("workers   all done   searches   decodes   clips     per minute:  searches  decodes  clips   certain to search   taken to judged   first clip   processor time        each          the machine was busy")
	for _, text := range numbers {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 1 {
			return fmt.Errorf("-workers %q is not a list of numbers like 1,2,4", text)
		}
		r, err := play(ctx, o, n)
		if err != nil {
			return fmt.Errorf("%d workers: %w", n, err)
		}
		fmt.Println(r)
		fmt.Printf("        first clips before any goal's second: %d of %d; further clips and copies before the last first: %d of %d\n", r.before, o.goals, r.early, r.further)
		fmt.Println("        " + explain.FirstClips(delay.Figures(r.ways, float64(o.scale))) + " of the product")
	}
	return nil
}
