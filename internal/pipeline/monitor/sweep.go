package monitor

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/blob"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/store"
)

const sweepKey = "sweep"

type lastSweep struct {
	At time.Time `json:"at"`
}

func (a *Activities) sweepDue(ctx context.Context, now time.Time) bool {
	var last lastSweep
	err := a.Store.State(ctx, sweepKey, &last)
	return footy.IsNotFound(err) || err == nil && now.Sub(last.At) >= a.Grace.Sweep
}

// sweepStaging deletes staged media that have lain long enough.
func (a *Activities) sweepStaging(ctx context.Context, now time.Time) error {
	var old []string
	err := a.Blob.List(ctx, blob.StagingPrefix, func(at blob.Attributes) error {
		if now.Sub(at.ModTime) >= a.Grace.Staging {
			old = append(old, at.Key)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, k := range old {
		if err := a.Blob.Delete(ctx, k); err != nil {
			return err
		}
	}
	return a.Store.PutState(ctx, sweepKey, lastSweep{At: now})
}

// sweepRemoved deletes the bytes of a removed goal and strikes its clips from the record; the event stays as a marker,
// so that its links can say why.
func (a *Activities) sweepRemoved(ctx context.Context, fixture int64, e footy.Event) error {
	for _, c := range e.Clips {
		for _, k := range []string{c.Key, c.PosterKey} {
			if k == "" {
				continue
			}
			if err := a.Blob.Delete(ctx, k); err != nil {
				return err
			}
		}
	}
	if err := a.sweepStills(ctx, e.UID); err != nil {
		return err
	}
	_, err := a.Store.Update(ctx, fixture, func(f *footy.Fixture) error {
		ev := f.Event(e.UID)
		if ev == nil || !ev.Removed || ev.Swept {
			return store.ErrUnchanged
		}
		ev.Swept, ev.Clips, ev.Attempts, ev.Offered = true, nil, nil, nil
		return nil
	})
	return err
}

// sweepStills deletes the small pictures of what was looked at for a goal.
func (a *Activities) sweepStills(ctx context.Context, uid string) error {
	var keys []string
	err := a.Blob.List(ctx, blob.PosterPrefix+uid+"/", func(at blob.Attributes) error {
		keys = append(keys, at.Key)
		return nil
	})
	if err != nil {
		return err
	}
	for _, k := range keys {
		if err := a.Blob.Delete(ctx, k); err != nil {
			return err
		}
	}
	return nil
}
