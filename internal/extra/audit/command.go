package audit

import (
	"context"
	"errors"
	"os"
	"slices"

	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/run/port/command"
	"github.com/found-footy/found-footy/internal/run/state"
	"github.com/found-footy/found-footy/internal/tell/health"
)

// Extra is what audit adds.
func Extra() port.Extra {
	return port.Extra{Name: "audit", Commands: []port.Command{{Name: "audit", Help: "Check that clips, posts, log and objects agree, and say what to do where they do not.", Run: &Cmd{}}}}
}

// Cmd is footy audit.
type Cmd struct {
	Repair  bool `help:"Put right what is safe, also while footy runs; every act is told."`
	Unknown bool `help:"With --repair: also delete objects that no record names where they are many, or older than the database."`
	command.Output
}

// Run exits 1 if anything does not hold (after a repair: still not).
func (c Cmd) Run(ctx context.Context, cfg config.Config) error {
	s, err := state.OpenExisting(ctx, cfg, "audit")
	if err != nil {
		return err
	}
	defer s.Close() //nolint:errcheck // what was to be written is written
	o := Defaults().Scaled(cfg.Track.TimeScale)
	o.Unknown = c.Unknown
	r, failed := CheckAndRepair(ctx, s.Store, s.Blob, o, c.Repair)
	if failed != nil && len(r.Repaired)+len(r.Failed) == 0 {
		return failed
	}
	if p := check.Stands(ctx, cfg); p.State != health.StateOK {
		r.Breaches = slices.Insert(r.Breaches, 0, Breach{Check: EngineStands, Detail: p.Reason, Remedy: p.Remedy})
	}
	if c.JSON {
		err = c.Print(r, nil)
	} else {
		err = Print(os.Stdout, r)
	}
	if err = errors.Join(failed, err); err != nil {
		return err
	}
	return command.ExitIf(len(r.Breaches)+len(r.Failed) > 0)
}
