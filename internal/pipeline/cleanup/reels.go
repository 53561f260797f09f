package cleanup

import (
	"context"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/blob"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/reels"
	"go.temporal.io/sdk/activity"
)

// sweepReels deletes reels that show what may not be seen any more, those that would be made otherwise now, and pieces that nobody joined
// for a while. All of it can be made again, and a reel that somebody once asked for is: by then its goals and clips have settled.
func (a *Activities) sweepReels(ctx context.Context, now time.Time) error {
	newest := map[string]time.Time{} // of each reel
	var old []string
	err := a.Blob.List(ctx, blob.ReelPrefix, func(at blob.Attributes) error {
		if rest, made := strings.CutPrefix(at.Key, blob.MadePrefix); made {
			if key, _, _ := strings.Cut(rest, "/"); at.ModTime.After(newest[key]) {
				newest[key] = at.ModTime
			}
		} else if now.Sub(at.ModTime) >= a.Keep.Staging {
			old = append(old, at.Key)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, key := range old {
		activity.RecordHeartbeat(ctx, key)
		if err := a.Blob.Delete(ctx, key); err != nil {
			return err
		}
	}
	maker := &reels.Maker{Store: a.Store, Blob: a.Blob, Now: a.Now}
	for key, at := range newest {
		activity.RecordHeartbeat(ctx, key)
		r, err := reels.Made(ctx, a.Blob, key)
		stands := reels.Standing{}
		switch {
		case err == nil:
			stands, err = maker.Standing(ctx, r)
		case footy.IsNotFound(err): // it is being made, or whoever made it died
			stands.MayBeSeen, err = true, nil
		}
		if err != nil {
			return err
		}
		if stands.Anew && a.Anew != nil {
			if err := a.Anew(ctx, r.Plan.Scope, r.Plan.Asked); err != nil { // others are being made; the page has a button, too
				activity.GetLogger(ctx).Warn("a reel is not made anew", "action", "sweep", "reel", r.Plan.Scope.Name(), "error", err)
			}
		}
		if stands.MayBeSeen && (stands.Current || now.Sub(at) < a.Keep.Staging) {
			continue
		}
		if err := blob.DeletePrefix(ctx, a.Blob, blob.MadePrefix+key+"/"); err != nil {
			return err
		}
	}
	return nil
}
