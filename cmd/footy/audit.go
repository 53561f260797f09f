package main

import (
	"context"
	"errors"
	"os"
	"slices"

	"github.com/found-footy/found-footy/internal/keep/audit"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/state"
	"github.com/found-footy/found-footy/internal/tell/health"
)

type auditCmd struct {
	Repair  bool `help:"Put right what is safe, also while footy runs; every act is told."`
	Unknown bool `help:"With --repair: also delete objects that no record names where they are many, or older than the database."`
	output
}

// Run exits 1 if anything does not hold (after a repair: still not).
func (c auditCmd) Run(ctx context.Context, cfg config.Config) error {
	s, err := state.OpenExisting(ctx, cfg, "audit")
	if err != nil {
		return err
	}
	defer s.Close() //nolint:errcheck // what was to be written is written
	o := audit.Defaults().Scaled(cfg.Track.TimeScale)
	o.Unknown = c.Unknown
	r, failed := audit.CheckAndRepair(ctx, s.Store, s.Blob, o, c.Repair)
	if failed != nil && len(r.Repaired)+len(r.Failed) == 0 {
		return failed
	}
	if p := check.Stands(ctx, cfg); p.State != health.StateOK {
		r.Breaches = slices.Insert(r.Breaches, 0, audit.Breach{Check: audit.EngineStands, Detail: p.Reason, Remedy: p.Remedy})
	}
	if c.JSON {
		err = c.print(r, nil)
	} else {
		err = audit.Print(os.Stdout, r)
	}
	if err = errors.Join(failed, err); err != nil {
		return err
	}
	return exitIf(len(r.Breaches)+len(r.Failed) > 0)
}
