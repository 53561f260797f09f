package cleanup

import (
	"context"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/decide/clip/reel"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
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
	for key, at := range newest {
		activity.RecordHeartbeat(ctx, key)
		stands, err := a.standing(ctx, key, now)
		if err != nil {
			return err
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

// standing looks how a reel stands to what is stored now, and has it made anew where that is due.
func (a *Activities) standing(ctx context.Context, key string, now time.Time) (reel.Standing, error) {
	r, err := blob.Reel(ctx, a.Blob, key)
	if footy.IsNotFound(err) { // it is being made, or whoever made it died
		return reel.Standing{MayBeSeen: true}, nil
	}
	if err != nil {
		return reel.Standing{}, err
	}
	list, err := reels.Fixtures(ctx, a.Store, r.Plan.Scope)
	if err != nil && !footy.IsNotFound(err) {
		return reel.Standing{}, err
	}
	stands := r.Plan.Standing(list, now)
	if stands.Anew && a.Anew != nil {
		if err := a.Anew(ctx, r.Plan.Scope, r.Plan.Asked); err != nil { // others are being made; the page has a button, too
			activity.GetLogger(ctx).Warn("a reel is not made anew", "action", "sweep", "reel", r.Plan.Scope.Name(), "error", err)
		}
	}
	return stands, nil
}
