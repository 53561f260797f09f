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

// sweepReels deletes reels that show what may not be seen any more, those that would be made otherwise now, pieces that nobody joined
// for a while, and what is more than the budget. All of it can be made again, and a reel that somebody once asked for is: by then its goals
// and clips have settled.
func (a *Activities) sweepReels(ctx context.Context, now time.Time) error {
	made := map[string]reel.Stored{}
	whole := map[string]bool{} // those that have their record: others are being made, or whoever made them died
	var old []string
	var kept int64 // bytes
	err := a.Blob.List(ctx, blob.ReelPrefix, func(at blob.Attributes) error {
		if rest, ok := strings.CutPrefix(at.Key, blob.MadePrefix); ok {
			key, name, _ := strings.Cut(rest, "/")
			r := made[key]
			r.Key, r.Size = key, r.Size+at.Size
			if at.ModTime.After(r.Used) {
				r.Used = at.ModTime
			}
			switch name {
			case blob.ReelWatched:
				r.Watched = at.ModTime
			case blob.ReelRecord:
				whole[key] = true
			}
			made[key] = r
		} else if now.Sub(at.ModTime) >= reels.Workflow.Limit() { // no reel that was begun with it is being made
			old = append(old, at.Key)
			return nil
		}
		kept += at.Size
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
	drop := func(r reel.Stored) error {
		kept -= r.Size
		return blob.DeletePrefix(ctx, a.Blob, blob.MadePrefix+r.Key+"/")
	}
	var stay []reel.Stored
	for key, r := range made {
		activity.RecordHeartbeat(ctx, key)
		stands, err := a.standing(ctx, key, now)
		if err != nil {
			return err
		}
		if stands.MayBeSeen && (stands.Current || now.Sub(r.Used) < a.Keep.Staging) {
			r.Outdated = !stands.Current
			if whole[key] {
				stay = append(stay, r)
			}
			continue
		}
		if err := drop(r); err != nil {
			return err
		}
	}
	// A quarter is left for what is made until the next sweep.
	for _, r := range reel.Surplus(stay, kept-reel.Budget/4*3, now, a.Keep.Watched) {
		activity.RecordHeartbeat(ctx, r.Key)
		if err := drop(r); err != nil {
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
