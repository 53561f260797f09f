// Package completion closes an event whose search is over and whose posts have all come to an end.
package completion

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/round"
	"github.com/found-footy/found-footy/internal/store"
)

// Complete completes the event if nothing of it is open: enough searches (or the end of its round), every batch settled, every
// post ended. It answers whether the event is complete; one that is gone counts as complete.
func Complete(ctx context.Context, s store.Store, fixture int64, uid string, searches int, now time.Time) (complete bool, err error) {
	open, err := s.Posts(ctx, store.PostQuery{EventUID: uid, Open: true, Limit: 1})
	if err != nil {
		return false, err
	}
	_, err = s.Update(ctx, fixture, func(f *footy.Fixture) ([]footy.Entry, error) {
		e := f.Event(uid)
		if e == nil {
			complete = true
			return nil, store.ErrUnchanged
		}
		if !round.Complete(e, searches, len(open), now) {
			complete = e.DownloadComplete
			return nil, store.ErrUnchanged
		}
		complete = true
		return []footy.Entry{footy.CompletedEntry(f.ID, *e, now)}, nil
	})
	if footy.IsNotFound(err) {
		return true, nil
	}
	return complete, err
}
