package monitor

import (
	"context"
	"strconv"
	"time"

	"go.temporal.io/sdk/activity"

	"github.com/found-footy/found-footy/internal/decide/match/cycle"
	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
)

// right puts the open matches right, and the posts of all, that were written while a clock was ahead. Where one was, matches that were over
// by then may be wrong, too.
func (a *Activities) right(ctx context.Context, open []footy.Fixture, now time.Time) error {
	wrong, err := a.rightMatches(ctx, open, now)
	if err != nil {
		return err
	}
	if wrong {
		over, err := a.Store.List(ctx, store.FixtureQuery{Stages: []footy.Stage{footy.StageCompleted}, From: now.Add(-24 * time.Hour)})
		if err != nil {
			return err
		}
		if _, err := a.rightMatches(ctx, over, now); err != nil {
			return err
		}
	}
	posts, err := a.Store.Posts(ctx, store.PostQuery{After: now.Add(a.Delays.Lease + cycle.ClocksDiffer)})
	if err != nil {
		return err
	}
	for _, p := range posts {
		if p.NextTry.Sub(now) <= a.Delays.Rest(p)+cycle.ClocksDiffer {
			continue // it rests in trouble
		}
		if _, err := policy.Advance(ctx, a.Store, p, ledger.Right(), now, a.Delays); err != nil {
			return err
		}
	}
	return nil
}

// rightMatches puts these right, in the list, too, and reports whether any was wrong.
func (a *Activities) rightMatches(ctx context.Context, list []footy.Fixture, now time.Time) (wrong bool, err error) {
	for i := range list {
		if _, changed := a.Rules.Right(&list[i], now); !changed {
			continue
		}
		id := list[i].ID
		f, err := a.Store.Update(ctx, id, func(f *footy.Fixture) ([]footy.Entry, error) {
			told, changed := a.Rules.Right(f, now)
			if !changed {
				return nil, store.ErrUnchanged
			}
			return told, nil
		})
		if err != nil {
			return wrong, err
		}
		list[i], wrong = f, true
		activity.GetLogger(ctx).Warn("match put right: a clock was ahead when it was written", "module", "monitor", "action", "clock",
			"fixture_id", id)
		a.Page.Publish(ctx, "fixture", strconv.FormatInt(id, 10))
	}
	return wrong, nil
}
