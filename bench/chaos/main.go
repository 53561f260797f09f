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
	"strings"
	"syscall"

	"github.com/found-footy/found-footy/bench/chaos/plan"
)

func main() {
	o := Options{Out: os.Stdout}
	flag.StringVar(&o.Footy, "footy", "bin/footy", "program to test")
	flag.StringVar(&o.Former, "former", "", "program of the release before: what it began goes on with -footy, whose database it must refuse")
	flag.StringVar(&o.Devstack, "devstack", "bin/footy-devstack", "its engine")
	flag.StringVar(&o.Teststack, "teststack", "bin/footy-teststack", "its object store")
	flag.StringVar(&o.Clips, "clips", "", "cache of drawn clips; the demo's unless named")
	flag.StringVar(&o.Dir, "dir", "", "where the days are kept; a temporary directory unless named")
	flag.Uint64Var(&o.Seed, "seed", 1, "first seed")
	flag.IntVar(&o.N, "n", 1, "how many seeds, one after the other")
	flag.BoolVar(&o.Short, "short", false, "each kind of fault once")
	flag.StringVar(&o.Only, "only", "", "play the plan's faults of this kind alone, as in restore, or of this kind and target, as in \"rewind state\"")
	flag.BoolVar(&o.PlanOnly, "plan", false, "print the plans and play nothing")
	flag.BoolVar(&o.Calm, "calm", false, "play the calm day alone")
	without := flag.String("without", "", "kinds of faults that this machine cannot make, as disk-full, with commas")
	deploy := flag.String("compose", "", "play on the containers of this directory's docker-compose.yml instead")
	smoke := flag.Bool("smoke", false, "with -compose: only start it, on the programs of this machine, until a goal has a clip")
	workers := flag.Int("workers", 3, "of the composition, on the day without a scaler")
	pages := flag.Int("pages", 2, "of the composition")
	scale := flag.Int("scale", composedScale, "how much faster than life the composition's days run, and the calm one beside them")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	o.Scale = plan.Scale
	o.Without = kinds(*without)
	play := Run
	if *deploy != "" {
		o.Scale = max(*scale, 1)
		play = func(ctx context.Context, o Options) (bool, error) {
			if *smoke {
				return RunSmoke(ctx, o, *deploy)
			}
			return RunComposed(ctx, o, *deploy, *workers, *pages)
		}
	}
	same, err := play(ctx, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "chaos:", err)
	}
	if err != nil || !same {
		stop()
		os.Exit(1)
	}
}

// kinds of faults, listed with commas.
func kinds(listed string) []string {
	return strings.FieldsFunc(listed, func(r rune) bool { return r == ',' })
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
