package reels

import (
	"context"
	"errors"
	"time"

	"go.temporal.io/sdk/activity"

	"github.com/found-footy/found-footy/internal/footy"
)

// unfinished is how long what has no record is left alone: its film was kept a moment ago, and the record follows.
const unfinished = time.Hour

// Sweep deletes reels that show what may not be seen any more, and what makers left that died.
func (m *Maker) Sweep(ctx context.Context, now time.Time) error {
	all, err := stored(ctx, m.Blob)
	if err != nil {
		return err
	}
	var failed []error
	for key, o := range all {
		activity.RecordHeartbeat(ctx, key)
		gone, err := !o.whole && now.Sub(o.Used) >= unfinished, error(nil)
		if o.whole {
			gone, err = m.gone(ctx, key)
		}
		if err == nil && gone {
			if err = o.delete(ctx, m.Blob); err == nil {
				activity.GetLogger(ctx).Info("deleted a reel of what is not shown any more", "action", "sweep", "reel", key, "bytes", o.Size)
			}
		}
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

// gone reports whether a reel shows a goal that no longer stands, or a clip that was hidden or deleted.
func (m *Maker) gone(ctx context.Context, key string) (bool, error) {
	r, err := recordOf(ctx, m.Blob, key)
	if err != nil {
		return false, err
	}
	list, err := Fixtures(ctx, m.Store, r.Plan.Scope)
	if err != nil && !footy.IsNotFound(err) {
		return false, err
	}
	return !r.Plan.Shows(list), nil
}
