// Command clock measures the clock reader: it draws clips as they are uploaded, with the score bugs that are on air in fonts that the
// classifier never saw, and clips with what only looks like a clock, reads them, and prints what was read right, wrongly or not at all.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/tools/clockfont/typeface"
)

// drawing is the version of what is drawn: clips of another one are not read.
const drawing = 2

type options struct {
	fonts, dir    string
	split         string
	seed          uint64
	clips, decoys int
	jobs          int
	cost          int
	list          bool
	kinds         string
	designs       string
	manners       string
	peak          string
}

func main() {
	var o options
	flag.StringVar(&o.fonts, "fonts", typeface.Dir, "where the fonts are")
	flag.StringVar(&o.dir, "dir", "", "where the clips are drawn, once; empty: in the user's cache")
	flag.StringVar(&o.split, "split", string(typeface.Judge), "families to draw with: judge, or limits while choosing them")
	flag.Uint64Var(&o.seed, "seed", 1, "of the clips")
	flag.IntVar(&o.clips, "clips", 3000, "clips with a clock")
	flag.IntVar(&o.decoys, "decoys", 300, "clips without a valid one")
	flag.IntVar(&o.jobs, "jobs", 2, "clips drawn or read at once")
	flag.IntVar(&o.cost, "cost", 4, "clips of each height whose cost is measured, one at a time")
	flag.BoolVar(&o.list, "list", false, "print every clip that was not read right; footy inspect clip clock --explain DIR shows why")
	flag.StringVar(&o.kinds, "kinds", "", "only these kinds, with commas between: clock, or what is none, as the report names it")
	flag.StringVar(&o.designs, "designs", "", "only these designs")
	flag.StringVar(&o.manners, "manners", "", "only these manners of uploads, their own commas left out")
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
		o.dir = filepath.Join(cache, "found-footy", fmt.Sprintf("bench-clock-%d-%s-%d", drawing, o.split, o.seed))
	}
	clips := plan(o, faces)
	if len(clips) == 0 {
		return errors.New("no such clips: look for the names of -kinds, -designs and -manners in a report")
	}
	tool := media.New(media.Options{})
	results, err := readAll(ctx, tool, o, clips)
	if err != nil {
		return err
	}
	report(results, o.list)
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil
	}
	return costs(ctx, tool, o, clips)
}

// draw makes a clip that is not there.
func (k clip) draw(ctx context.Context, dir string) error {
	to := filepath.Join(dir, k.File)
	if _, err := os.Stat(to); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := k.film(ctx, to+".part"); err != nil {
		return fmt.Errorf("draw %s: %w", k.File, err)
	}
	return os.Rename(to+".part", to)
}
