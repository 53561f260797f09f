package main

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/owner"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port/command"
	"github.com/found-footy/found-footy/internal/run/state"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

type clipsCmd struct {
	Show  clipsShowCmd  `cmd:"" default:"1" help:"Show whose the clip storage is, and what was deleted there last; footy clips alone does so, too."`
	Sweep clipsSweepCmd `cmd:"" help:"Let the sweeps that are held delete once what they found."`
	Adopt clipsAdoptCmd `cmd:"" help:"Make the clip storage this database's. Another installation that uses it stops writing there; of two copies of one database stop the other first."`
}

type clipsShowCmd struct{}

// Run exits 1 where the clip storage is not this database's, or a sweep waits for an operator.
func (clipsShowCmd) Run(ctx context.Context, c config.Config) error {
	s, err := state.OpenExisting(ctx, c, "look at the clip storage")
	if err != nil {
		return err
	}
	defer s.Close() //nolint:errcheck // nothing was written
	switch err := s.Owner.Look(ctx); {
	case owner.Refused(err) != nil:
		r := owner.Refused(err)
		fmt.Printf("%s\n→ %s\n", explain.UpperFirst(r.Reason()), r.Remedy())
		return command.Exit(1)
	case err != nil:
		return err
	}
	fmt.Println("The clip storage is this database's.")
	all, err := cleanup.LastSweeps(ctx, s.Store)
	if err != nil {
		return err
	}
	for _, k := range cleanup.Kinds() {
		if r := all.Last[k]; !r.At.IsZero() {
			fmt.Printf("%-8s  %s  deleted %s, %s (%s)\n", k, r.At.UTC().Format("2006-01-02 15:04 UTC"), explain.Plural(r.Deleted.Objects, "object", "objects"), cmp.Or(explain.Size(r.Deleted.Bytes), "0 kB"), k.What())
		}
	}
	for _, k := range all.Held() {
		fmt.Printf("%-8s  held: %s\n→ %s\n", k, all.Last[k].Reason(k), cleanup.HeldRemedy)
	}
	return command.ExitIf(len(all.Held()) > 0)
}

type clipsSweepCmd struct{}

// Run allows what is held now; the next sweep of a worker, within a quarter of an hour, deletes it.
func (clipsSweepCmd) Run(ctx context.Context, c config.Config) error {
	docs, err := state.OpenExistingStore(ctx, c, "allow sweeps")
	if err != nil {
		return err
	}
	defer docs.Close() //nolint:errcheck // what was to be written is written
	kinds, err := cleanup.Allow(ctx, docs, time.Now())
	if err != nil {
		return err
	}
	if len(kinds) == 0 {
		fmt.Println("no sweep is held")
	}
	for _, k := range kinds {
		fmt.Printf("the next sweep of a running footy, within a quarter of an hour, deletes them: %s\n", k.What())
	}
	return nil
}

type clipsAdoptCmd struct{}

// Run marks the clip storage; a running footy notices within a minute.
func (clipsAdoptCmd) Run(ctx context.Context, c config.Config) error {
	s, err := state.OpenExisting(ctx, c, "adopt the clip storage")
	if err != nil {
		return err
	}
	defer s.Close() //nolint:errcheck // what was to be written is written
	if err := s.Owner.Adopt(ctx); err != nil {
		return footy.Wrap(footy.CodeUnavailable, "adopt the clip storage", err)
	}
	fmt.Println("The clip storage is this database's now; a running footy notices within a minute. Clips that it does not know are not deleted before you allow it.")
	return nil
}
