package upload

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
)

// Complete completes the event if its round is over and each of its posts has ended. It answers whether the event is complete; one
// that is gone counts as complete. The ledger is read inside of the change: a post that comes meanwhile is seen by another try or,
// if it comes later, by Monitor's reconcile step.
func Complete(ctx context.Context, s store.Store, in policy.EventInput, now time.Time) (complete bool, err error) {
	e, err := in.Change(ctx, s, func(f *footy.Fixture, e *footy.Event) ([]footy.Entry, error) {
		if complete = e.DownloadComplete; complete {
			return nil, store.ErrUnchanged
		}
		open, err := s.Posts(ctx, store.PostQuery{EventUID: in.EventUID, Open: true, Limit: 1})
		if err != nil {
			return nil, err
		}
		if complete = in.Timing.Limits().Complete(e, open, now); !complete {
			return nil, store.ErrUnchanged
		}
		return []footy.Entry{footy.CompletedEntry(f.ID, *e, now)}, nil
	})
	return complete || e == nil && err == nil, err
}
