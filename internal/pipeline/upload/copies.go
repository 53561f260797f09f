package upload

import (
	"context"
	"slices"
	"time"

	"go.temporal.io/sdk/activity"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/crashpoint"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
)

// CleanupCopies is Copies, as workflows call it.
var CleanupCopies = policy.Define[Input, policy.Nothing]("cleanup_individual_files", policy.Row{Queue: policy.QueueMain, Timeout: time.Minute, Heartbeat: 30 * time.Second,
	Why: "deletes bytes of retired copies"})

// Copies deletes the bytes of an event's retired copies once the event is complete.
func (a *Activities) Copies(ctx context.Context, in Input) error {
	return DeleteCopies(ctx, a.Store, a.Blob, in)
}

// HasCopies reports whether an event has bytes of retired copies. A copy whose bytes are gone has no key.
func HasCopies(e *footy.Event) bool {
	return slices.ContainsFunc(e.Clips, func(c footy.Clip) bool { return c.ReplacedBy != "" && c.Key != "" })
}

// DeleteCopies deletes the bytes of a complete event's retired copies. It marks the copies first and deletes only what is marked: one
// that an operator brings back meanwhile keeps its bytes. Their keys go last, so that a try that died is made good by the next.
func DeleteCopies(ctx context.Context, docs store.Store, bytes blob.Store, in policy.EventInput) error {
	var marked []footy.Clip
	change := func(do func(*footy.Clip)) error {
		_, err := in.Change(ctx, docs, func(_ *footy.Fixture, e *footy.Event) ([]footy.Entry, error) {
			marked = nil
			if !e.DownloadComplete || !HasCopies(e) {
				return nil, store.ErrUnchanged
			}
			for i := range e.Clips {
				if c := &e.Clips[i]; c.ReplacedBy != "" && c.Key != "" {
					marked = append(marked, *c)
					do(c)
				}
			}
			return nil, nil
		})
		return err
	}
	if err := change(func(c *footy.Clip) { c.Swept = true }); err != nil {
		return err
	}
	crashpoint.Here(crashpoint.CopiesSwept)
	gone := map[string]bool{}
	for _, c := range marked {
		activity.RecordHeartbeat(ctx, c.ID)
		for _, k := range []string{c.Key, c.PosterKey} {
			if k == "" {
				continue
			}
			if err := bytes.Delete(ctx, k); err != nil {
				return err
			}
		}
		gone[c.ID] = true
	}
	return change(func(c *footy.Clip) {
		if gone[c.ID] {
			c.Key, c.PosterKey = "", ""
		}
	})
}
