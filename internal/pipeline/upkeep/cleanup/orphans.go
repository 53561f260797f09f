package cleanup

import (
	"context"
	"strings"

	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
	"go.temporal.io/sdk/activity"
)

// orphans deletes clips and pictures of goals that are not stored any more, which an eraser that died half-way left, and what uploads that
// broke off left. What nobody needs of a goal that is stored, footy audit finds.
func (a *Activities) orphans(ctx context.Context) error {
	before := a.Now().Add(-a.Keep.Removed)
	if err := a.Blob.Tidy(ctx, before); err != nil {
		return err
	}
	byGoal := map[string][]string{}
	for _, prefix := range []string{blob.ClipPrefix, blob.PosterPrefix} {
		err := a.Blob.List(ctx, prefix, func(at blob.Attributes) error {
			uid, _, inGoal := strings.Cut(strings.TrimPrefix(at.Key, prefix), "/")
			if inGoal && at.ModTime.Before(before) {
				byGoal[uid] = append(byGoal[uid], at.Key)
			}
			return nil
		})
		if err != nil {
			return err
		}
		activity.RecordHeartbeat(ctx, prefix)
	}
	if len(byGoal) == 0 {
		return nil
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
	for uid, keys := range byGoal {
		activity.RecordHeartbeat(ctx, uid)
		for _, k := range keys {
			if err := a.Blob.Delete(ctx, k); err != nil {
				return err
			}
		}
	}
	return nil
}
