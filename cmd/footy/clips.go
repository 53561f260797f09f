package main

import (
	"context"
	"fmt"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/owner"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/state"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

type clipsCmd struct {
	Show  clipsShowCmd  `cmd:"" default:"1" help:"Show whose the clip storage is."`
	Adopt clipsAdoptCmd `cmd:"" help:"Make the clip storage this database's. Another installation that uses it stops writing there."`
}

type clipsShowCmd struct{}

// Run exits 1 where the clip storage is not this database's.
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
		return exit(1)
	case err != nil:
		return err
	}
	fmt.Println("The clip storage is this database's.")
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
