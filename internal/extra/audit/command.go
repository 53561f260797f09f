package audit

import (
	"context"

	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/run/port/command"
	"github.com/found-footy/found-footy/internal/run/state"
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
	if err := c.Print(r, err); err != nil {
		return err
	}
	return command.ExitIf(len(r.Breaches) > 0)
}
