package upload

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/crashpoint"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"go.temporal.io/sdk/activity"
)

// CleanupCopies is Copies, as workflows call it.
var CleanupCopies = policy.Define[Input, policy.Nothing]("cleanup_individual_files", policy.Row{Queue: policy.QueueMain, Timeout: time.Minute, Heartbeat: 30 * time.Second,
	Why: "deletes bytes of retired copies"})

// Copies deletes the bytes of an event's retired copies once the event is complete.
func (a *Activities) Copies(ctx context.Context, in Input) error {
	f, err := a.Store.Fixture(ctx, in.FixtureID)
	if footy.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if e := f.Event(in.EventUID); e != nil && e.DownloadComplete {
		return DeleteCopies(ctx, a.Store, a.Blob, f.ID, e.UID)
	}
	return nil
}

// HasCopies reports whether an event has bytes of retired copies.
func HasCopies(e *footy.Event) bool {
	for _, c := range e.Clips {
		if c.ReplacedBy != "" && !c.Swept {
			return true
		}
	}
	return false
}

// DeleteCopies deletes the bytes of a complete event's retired copies. It marks the copies first and deletes only what is marked: one
// that an operator brings back meanwhile keeps its bytes.
func DeleteCopies(ctx context.Context, docs store.Store, bytes blob.Store, fixture int64, uid string) error {
	f, err := docs.Update(ctx, fixture, func(f *footy.Fixture) ([]footy.Entry, error) {
		e := f.Event(uid)
		if e == nil || !e.DownloadComplete || !HasCopies(e) {
			return nil, store.ErrUnchanged
		}
		for i := range e.Clips {
			e.Clips[i].Swept = e.Clips[i].Swept || e.Clips[i].ReplacedBy != ""
		}
		return nil, nil
	})
	if err != nil {
		return err
	}
	crashpoint.Here(crashpoint.CopiesSwept)
	e := f.Event(uid)
	if e == nil {
		return nil
	}
	for _, c := range e.Clips {
		if !c.Swept {
			continue
		}
		activity.RecordHeartbeat(ctx, c.ID)
		for _, k := range []string{c.Key, c.PosterKey} {
			if k == "" {
				continue
			}
			if err := bytes.Delete(ctx, k); err != nil {
				return err
			}
		}
	}
	return nil
}
