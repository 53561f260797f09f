// Command clock measures the clock reader: it draws clips with running clocks in fonts that the classifier never saw, and clips with
// what only looks like one, reads them, and prints how many were read, wrongly or not at all, and what that costs.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/tools/clockfont/typeface"
)

type options struct {
	fonts, dir    string
	split         string
	seed          uint64
	clips, decoys int
	jobs          int
	cost          int
	list          bool
	kinds         string
	lines         int
	peak          string
}

func main() {
	var o options
	flag.StringVar(&o.fonts, "fonts", typeface.Dir, "where the fonts are")
	flag.StringVar(&o.dir, "dir", "", "where the clips are drawn, once; empty: in the user's cache")
	flag.StringVar(&o.split, "split", string(typeface.Judge), "families to draw with: judge, or limits while choosing them")
	flag.Uint64Var(&o.seed, "seed", 1, "of the clips")
	flag.IntVar(&o.clips, "clips", 300, "clips with a clock")
	flag.IntVar(&o.decoys, "decoys", 150, "clips without a valid one")
	flag.IntVar(&o.jobs, "jobs", 2, "clips drawn or read at once")
	flag.IntVar(&o.cost, "cost", 4, "clips of each height whose cost is measured, one at a time")
	flag.BoolVar(&o.list, "list", false, "print every clip that was not read right; footy inspect clip clock --explain DIR shows why")
	flag.StringVar(&o.kinds, "kinds", "", "only clips of these kinds, as the report names them, with commas between; for a look at some of a set")
	flag.IntVar(&o.lines, "lines", 0, "only clips of at most this height")
	flag.StringVar(&o.peak, "peak", "", "only decode this file and print the memory that took")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "bench-clock:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	if o.peak != "" {
		return printPeak(ctx, o.peak)
	}
	faces, err := typeface.Load(o.fonts, typeface.Split(o.split))
	if err != nil {
		return err
	}
	if o.dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		o.dir = filepath.Join(cache, "found-footy", fmt.Sprintf("bench-clock-%s-%d-%d-%d", o.split, o.seed, o.clips, o.decoys))
	}
	clips := slices.DeleteFunc(plan(o.seed, faces, o.clips, o.decoys), func(k clip) bool {
		return o.lines > 0 && k.Lines > o.lines || o.kinds != "" && !slices.Contains(strings.Split(o.kinds, ","), k.Kind)
	})
	fmt.Printf("drawing %d clips in %s (once)\n", len(clips), o.dir)
	if err := drawAll(ctx, o, clips); err != nil {
		return err
	}
	tool := media.New(media.Options{})
	results, err := readAll(ctx, tool, o, clips)
	if err != nil {
		return err
	}
	report(results, o.list)
	if err := reportScores(results, o.list); err != nil {
		return err
	}
	return costs(ctx, tool, o, clips)
}

func drawAll(ctx context.Context, o options, clips []clip) error {
	if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return err
	}
	g, limited := errgroup.WithContext(ctx)
	g.SetLimit(max(1, o.jobs))
	for _, k := range clips {
		g.Go(func() error {
			to := filepath.Join(o.dir, k.File)
			if _, err := os.Stat(to); !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			if err := k.film(limited, to+".part"); err != nil {
				return fmt.Errorf("draw %s: %w", k.File, err)
			}
			return os.Rename(to+".part", to)
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	text, err := json.MarshalIndent(clips, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(o.dir, "truth.json"), text, 0o644)
}
