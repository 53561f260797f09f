package upload

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// Complete completes the event if its round is over and each of its posts has ended. It answers whether the event is complete; one
// that is gone counts as complete. The ledger is read inside of the change: a post that comes meanwhile is seen by another try or,
// if it comes later, by Monitor's reconcile step.
func Complete(ctx context.Context, s store.Store, fixture int64, uid string, l round.Limits, now time.Time) (complete bool, err error) {
	_, err = s.Update(ctx, fixture, func(f *footy.Fixture) ([]footy.Entry, error) {
		e := f.Event(uid)
		if complete = e == nil || e.DownloadComplete; complete {
			return nil, store.ErrUnchanged
		}
		open, err := s.Posts(ctx, store.PostQuery{EventUID: uid, Open: true, Limit: 1})
		if err != nil {
			return nil, err
		}
		if complete = l.Complete(e, open, now); !complete {
			return nil, store.ErrUnchanged
		}
		return []footy.Entry{footy.CompletedEntry(f.ID, *e, now)}, nil
	})
	if footy.IsNotFound(err) {
		return true, nil
	}
	return complete, err
}
