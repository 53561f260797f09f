package audit

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

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

// Print tells a report to a person: each breach in a line with what to do, and a summary.
func Print(w io.Writer, r Report) error {
	var out strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	for i, b := range r.Breaches {
		if i == 0 || r.Breaches[i-1].Check != b.Check {
			n := 0
			for _, o := range r.Breaches {
				if o.Check == b.Check {
					n++
				}
			}
			line("%s: %s (%d)", b.Check, b.Check.Title(), n)
		}
		line("  %s%s -> %s", where(b), b.Detail, b.Remedy)
	}
	c := r.Checked
	line("checked %d matches, %d goals, %d posts, %d clips, %d fingerprints, %d log rows, %d objects, %d takedowns",
		c.Fixtures, c.Events, c.Posts, c.Clips, c.Fingerprints, c.Rows, c.Objects, c.Tombstones)
	if idle := time.Since(r.AsOf); idle > 2*time.Minute {
		line("footy last worked on this state at %s; ages count up to then", r.AsOf.Format("2006-01-02 15:04 UTC"))
	}
	switch n := len(r.Breaches); {
	case n == 0:
		line("everything holds")
	case n == 1:
		line("1 breach")
	default:
		line("%d breaches", n)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func where(b Breach) string {
	var parts []string
	switch {
	case b.EventUID != "":
		parts = append(parts, "goal "+b.EventUID)
	case b.FixtureID != 0:
		parts = append(parts, fmt.Sprintf("fixture %d", b.FixtureID))
	}
	for _, s := range []struct{ name, id string }{{"post ", b.PostID}, {"clip ", b.ClipID}} {
		if s.id != "" {
			parts = append(parts, s.name+s.id)
		}
	}
	if b.Key != "" && !strings.Contains(b.Detail, b.Key) && b.Key != b.EventUID && b.Key != b.PostID && b.Key != b.ClipID {
		parts = append(parts, b.Key)
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, ", ") + ": "
}
