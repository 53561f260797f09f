package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/found-footy/found-footy/bench/rig"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"golang.org/x/sync/errgroup"
)

// goals plays two whole goals at once on a fresh engine and tells what each took.
func goals(ctx context.Context, o options) error {
	at, dir, stop, err := rig.Engine(ctx, o.devstack)
	if err != nil {
		return err
	}
	defer stop()
	state := filepath.Join(dir, "state")
	if err := os.Mkdir(state, 0o755); err != nil {
		return err
	}
	outside, err := rig.NewOutside(ctx, dir)
	if err != nil {
		return err
	}
	maps.Copy(at, rig.NoWikidata())
	r, err := rig.Start(ctx, rig.Options{Dir: state, Change: outside.Install, Set: at})
	if err != nil {
		return err
	}
	defer r.Stop()
	var popular, nobodys rig.Goal
	both, during := errgroup.WithContext(ctx)
	both.Go(func() (err error) { popular, err = r.Score(during, 1, "Popular", rig.Pace(o.every)); return err })
	both.Go(func() (err error) { nobodys, err = r.Score(during, 2, rig.Nobody, rig.Pace(o.every)); return err })
	if err := both.Wait(); err != nil {
		return err
	}
	tell("A goal of which each of ten searches finds five good clips", popular.Cost, rig.PopularActivities, rig.PopularEvents)
	tell("A goal that nobody posts", nobodys.Cost, rig.NobodysActivities, 0)
	return nil
}

func tell(title string, c rig.Cost, activities, events int) {
	fmt.Printf("%s: its search, its %d batches, its publishing\n  %4d activities, allowed are %d\n  %4d events of history",
		title, c.ByName[download.RegisterDownload.Name()], c.Activities, activities, c.Events)
	if events > 0 {
		fmt.Printf(", allowed are %d", events)
	}
	fmt.Println()
	for _, name := range slices.Sorted(maps.Keys(c.History)) {
		fmt.Printf("       %4d events in %s\n", c.History[name], name)
	}
	for _, name := range slices.Sorted(maps.Keys(c.ByName)) {
		fmt.Printf("       %4d x %s\n", c.ByName[name], name)
	}
	fmt.Println()
}
