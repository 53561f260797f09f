package cleanup

import (
	"context"
	"strings"

	"go.temporal.io/sdk/activity"

	"github.com/found-footy/found-footy/internal/decide/keeping"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// orphans deletes clips and pictures of goals that are not stored any more, which an eraser that died half-way left, and what uploads that
// broke off left. Of goals that no record ever named it asks, if they are many. What nobody needs of a goal that is stored, footy audit finds.
func (a *Activities) orphans(ctx context.Context, life keeping.Life) error {
	before := a.Now().Add(-a.Keep.Removed)
	if err := a.Blob.Tidy(ctx, before); err != nil {
		return err
	}
	var sweep keeping.Sweep
	byGoal := map[string][]blob.Attributes{}
	for _, prefix := range []string{blob.ClipPrefix, blob.PosterPrefix} {
		err := a.Blob.List(ctx, prefix, func(at blob.Attributes) error {
			sweep.Lies.Add(at.Size)
			uid, _, inGoal := strings.Cut(strings.TrimPrefix(at.Key, prefix), "/")
			if inGoal && at.ModTime.Before(before) {
				byGoal[uid] = append(byGoal[uid], at)
			}
			return nil
		})
		if err != nil {
			return err
		}
		activity.RecordHeartbeat(ctx, prefix)
	}
	all, err := a.Store.List(ctx, store.FixtureQuery{}) // after the listing: the bytes of a goal that comes later are not in it
	if err != nil || store.HasDamage(a.Store, store.FixturesColl, "") {
		return err // one that cannot be read may need any of them
	}
	for _, f := range all {
		for _, e := range f.Events {
			delete(byGoal, e.UID)
		}
	}
	var dropped, unknown []blob.Attributes
	for uid, list := range byGoal {
		activity.RecordHeartbeat(ctx, uid)
		posts, err := a.Store.Posts(ctx, store.PostQuery{EventUID: uid, Limit: 1})
		if err != nil || store.HasDamage(a.Store, store.PostsColl, "") {
			return err
		}
		if len(posts) > 0 { // a goal that the feed took back before it was certain
			dropped = append(dropped, list...)
			continue
		}
		unknown = append(unknown, list...)
	}
	return a.sweepUnknown(ctx, Orphans, sweep, life, dropped, unknown)
}

// sweepUnknown deletes what records name as not needed any more, and what no record names, if it may.
func (a *Activities) sweepUnknown(ctx context.Context, k Kind, sweep keeping.Sweep, life keeping.Life, named, unknown []blob.Attributes) error {
	for _, at := range unknown {
		sweep.Find(at.Size, at.ModTime, life)
	}
	if !life.Copied {
		may, err := a.may(ctx, k, sweep)
		if err != nil {
			return err
		}
		if may {
			named = append(named, unknown...)
		}
	}
	var deleted keeping.Amount
	err := a.delete(ctx, named, &deleted)
	return a.report(ctx, k, deleted, err)
}
