package app

import (
	"context"
	"log/slog"

	"github.com/found-footy/found-footy/internal/audit"
	"github.com/found-footy/found-footy/internal/config"
)

// AuditOnce is footy audit on the state that the settings name. Where there is none it makes none: nothing breaks in an
// empty one, and that would pass for a sound state.
func AuditOnce(ctx context.Context, c config.Config, log *slog.Logger, version string, repair bool) (audit.Report, error) {
	if err := needDatabase(c, "audit"); err != nil {
		return audit.Report{}, err
	}
	a, err := New(ctx, c, log, version)
	if err != nil {
		return audit.Report{}, err
	}
	defer a.Close() //nolint:errcheck // what was to be written is written
	return a.Audit(ctx, repair)
}

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
	r.Repaired, r.Failed = audit.Repair(ctx, a.Store, a.Blob, r, o)
	if len(r.Repaired) == 0 {
		return r, nil
	}
	again, err := audit.Run(ctx, a.Store, a.Blob, o)
	if err != nil {
		return r, err // what was found before tells more than half a look
	}
	again.Repaired, again.Failed = r.Repaired, r.Failed
	return again, nil
}
