package audit

import (
	"context"
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
type Cmd struct{ command.Output }

// Run exits 1 if anything does not hold.
func (c Cmd) Run(ctx context.Context, cfg config.Config) error {
	s, err := state.OpenExisting(ctx, cfg, "audit")
	if err != nil {
		return err
	}
	defer s.Close() //nolint:errcheck // nothing was written
	r, err := Run(ctx, s.Store, s.Blob, Defaults().Scaled(cfg.Track.TimeScale))
	if err != nil {
		return err
	}
	if p := check.Stands(ctx, cfg); p.State != health.StateOK {
		r.Breaches = slices.Insert(r.Breaches, 0, Breach{Check: EngineStands, Detail: p.Reason, Remedy: p.Remedy})
	}
	if c.JSON {
		err = c.Print(r, nil)
	} else {
		err = Print(os.Stdout, r)
	}
	if err != nil {
		return err
	}
	return command.ExitIf(len(r.Breaches) > 0)
}
