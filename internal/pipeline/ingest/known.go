package ingest

import (
	"context"
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/lifecycle"
	"github.com/found-footy/found-footy/internal/store"
)

// known brings a fixture up to date that was there before. A running match is Monitor's: a day list may be minutes old.
func (a *Activities) known(ctx context.Context, snap footy.Snapshot, now time.Time) error {
	var news lifecycle.Move
	f, err := a.Store.Update(ctx, snap.Match.ID, func(old *footy.Fixture) error {
		if old.Stage == footy.StageActive || !lifecycle.Changed(*old, snap) {
			return store.ErrUnchanged
		}
		before, asked, stage := old.Match.Kickoff, old.LastMonitor, old.Stage
		updated := *old
		lifecycle.Merge(&updated, snap, "", now)
		updated.LastMonitor = asked // a day list has no events: it is no poll
		news = lifecycle.NewDate(updated, before, a.Windows)
		if stage == footy.StageCompleted {
			// Nobody polls it any more, so this is where a match that was called off gets its new date.
			if news = lifecycle.Plan(updated, now, a.Windows); news.To == "" {
				return store.ErrUnchanged
			}
		}
		*old = updated
		return nil
	})
	if err != nil || news.Kind == "" {
		return err
	}
	row := footy.Entry{Key: fmt.Sprintf("%d/%s/%s", f.ID, news.Kind, f.Match.Kickoff.UTC().Format(time.RFC3339)), FixtureID: f.ID, At: now,
		Kind: news.Kind, Reason: news.Reason, Text: news.Text}
	if err := a.Store.Append(ctx, row); err != nil || news.To == f.Stage {
		return err
	}
	_, err = a.Store.Move(ctx, f.ID, news.To, func(f *footy.Fixture) error {
		f.UpdatedAt = now
		lifecycle.Apply(f, news, now)
		return nil
	})
	return err
}
