package app

import (
	"context"

	"github.com/found-footy/found-footy/internal/audit"
)

// Audit looks whether what must hold of the state does; the state may be in use. With repair it puts right what is safe, and
// looks again.
func (a *App) Audit(ctx context.Context, repair bool) (audit.Report, error) {
	if a.noBlob != nil { // objects that nobody can list are not missing
		return audit.Report{}, a.noBlob
	}
	o := audit.Defaults().Scaled(a.Config.Track.TimeScale)
	r, err := audit.Run(ctx, a.Store, a.Blob, o)
	if err != nil || !repair {
		return r, err
	}
	done, err := audit.Repair(ctx, a.Store, a.Blob, r, o)
	if err != nil || len(done) == 0 {
		r.Repaired = done
		return r, err
	}
	r, err = audit.Run(ctx, a.Store, a.Blob, o)
	r.Repaired = done
	return r, err
}
