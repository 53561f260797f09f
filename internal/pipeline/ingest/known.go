package ingest

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// known brings a fixture up to date that was there before. A running match is Monitor's: a day list may be minutes old. One that
// is over and that a person named is followed again if something is left to find.
func (a *Activities) known(ctx context.Context, snap footy.Snapshot, now time.Time, named bool) (footy.Fixture, error) {
	return a.Store.Update(ctx, snap.Match.ID, func(old *footy.Fixture) ([]footy.Entry, error) {
		marked := named && !old.Named
		old.Named = old.Named || named
		if again := lifecycle.Reopens(*old, a.Windows); named && again.To != "" {
			old.UpdatedAt = now
			lifecycle.Apply(old, again, now)
			return []footy.Entry{again.Entry(old.ID, string(again.Reason)+"/"+now.UTC().Format(time.RFC3339), now)}, nil
		}
		updated := *old
		lifecycle.Merge(&updated, snap, now)
		if old.Stage == footy.StageActive || !lifecycle.Changed(*old, updated, a.Windows) {
			if marked {
				return nil, nil
			}
			return nil, store.ErrUnchanged
		}
		updated.LastMonitor = old.LastMonitor // a day list has no events: it is no poll
		news := lifecycle.News(*old, updated, a.Windows)
		if old.Stage == footy.StageCompleted {
			// Nobody polls it any more, so this is where a match that was called off gets its new date.
			if news = lifecycle.Plan(updated, now, a.Windows); news.To == "" {
				return nil, store.ErrUnchanged
			}
		}
		*old = updated
		if news.Kind == "" {
			return nil, nil
		}
		if news.To != "" && news.To != old.Stage {
			old.UpdatedAt = now
			lifecycle.Apply(old, news, now)
		}
		return []footy.Entry{news.Entry(old.ID, old.Match.Kickoff.UTC().Format(time.RFC3339), now)}, nil
	})
}
