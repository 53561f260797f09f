// Command clips measures clip truth: how well fingerprints tell copies from look-alikes, and how a large archive is
// searched. Without -corpus it draws a corpus of its own first, once.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"

	"github.com/found-footy/found-footy/internal/connect/media"
)

type options struct {
	corpus string
	seed   uint64
	per    int
	jobs   int
	skip   bool
}

func main() {
	var o options
	flag.StringVar(&o.corpus, "corpus", "", "directory with clips/ and truth.json; empty: draw one")
	flag.Uint64Var(&o.seed, "seed", 1, "of the corpus to draw")
	flag.IntVar(&o.per, "per", 0, "re-uploads of each goal; 0: 6 when drawing, all there are when reading")
	flag.IntVar(&o.jobs, "jobs", runtime.NumCPU(), "files decoded or drawn at once")
	flag.BoolVar(&o.skip, "search-only", false, "leave accuracy out")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "bench-clips:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	tool := media.New(media.Options{})
	if o.corpus == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		o.corpus = filepath.Join(cache, "found-footy", fmt.Sprintf("bench-clips-%d", o.seed))
		fmt.Printf("drawing a corpus in %s (minutes the first time)\n", o.corpus)
		if err := drawCorpus(ctx, o.corpus, o.seed, cmp.Or(o.per, usualPer), o.jobs); err != nil {
			return err
		}
	}
	c, err := load(ctx, tool, o.corpus, o.per, o.jobs)
	if err != nil {
		return err
	}
	fmt.Printf("%d clips, %.0f s of video, %d unreadable\n\n", len(c.clips), c.seconds, c.unreadable)
	if !o.skip {
		accuracy(c)
		events(c)
	}
	return nil
}
