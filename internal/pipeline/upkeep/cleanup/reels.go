package cleanup

import (
	"context"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/decide/clip/reel"
	"github.com/found-footy/found-footy/internal/decide/keeping"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/pipeline/reels"
	"go.temporal.io/sdk/activity"
)

// spareReels is how many objects makers of reels may have left that died.
const spareReels = 100

// sweepReels deletes reels that show what may not be seen any more, those that would be made otherwise now, pieces that nobody joined
// for a while, and what is more than the budget. All of it can be made again, and a reel that somebody once asked for is: by then its goals
// and clips have settled.
func (a *Activities) sweepReels(ctx context.Context, now time.Time, life keeping.Life) error {
	sweep := keeping.Sweep{Spare: spareReels, Whole: true}
	made, objects := map[string]reel.Stored{}, map[string][]blob.Attributes{}
	whole := map[string]bool{} // those that have their record: others are being made, or whoever made them died
	var old, gone []blob.Attributes
	var kept int64 // bytes
	err := a.Blob.List(ctx, blob.ReelPrefix, func(at blob.Attributes) error {
		sweep.Lies.Add(at.Size)
		if rest, ok := strings.CutPrefix(at.Key, blob.MadePrefix); ok {
			key, name, _ := strings.Cut(rest, "/")
			objects[key] = append(objects[key], at)
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
			old = append(old, at)
			return nil
		}
		kept += at.Size
		return nil
	})
	if err != nil {
		return err
	}
	var stay []reel.Stored
	for key, r := range made {
		activity.RecordHeartbeat(ctx, key)
		stands, known, err := a.standing(ctx, key, now)
		if err != nil {
			return err
		}
		switch {
		case stands.MayBeSeen && (stands.Current || now.Sub(r.Used) < a.Keep.Staging):
			r.Outdated = !stands.Current
			if whole[key] {
				stay = append(stay, r)
			}
			continue
		case known:
			gone = append(gone, objects[key]...)
		default:
			old = append(old, objects[key]...)
		}
		kept -= r.Size
	}
	// A quarter is left for what is made until the next sweep.
	for _, r := range reel.Surplus(stay, kept-reel.Budget/4*3, now, a.Keep.Watched) {
		gone = append(gone, objects[r.Key]...)
	}
	return a.sweepUnknown(ctx, Reels, sweep, life, gone, old)
}

// standing looks how a reel stands to what is stored now, and has it made anew where that is due. known: its goals are stored.
func (a *Activities) standing(ctx context.Context, key string, now time.Time) (s reel.Standing, known bool, err error) {
	r, err := blob.Reel(ctx, a.Blob, key)
	if footy.IsNotFound(err) { // it is being made, or whoever made it died
		return reel.Standing{MayBeSeen: true}, false, nil
	}
	if err != nil {
		return s, false, err
	}
	list, err := reels.Fixtures(ctx, a.Store, r.Plan.Scope)
	if err != nil && !footy.IsNotFound(err) {
		return s, false, err
	}
	stands := r.Plan.Standing(list, now)
	if stands.Anew && a.Anew != nil {
		if err := a.Anew(ctx, r.Plan.Scope, r.Plan.Asked); err != nil { // others are being made; the page has a button, too
			activity.GetLogger(ctx).Warn("a reel is not made anew", "action", "sweep", "reel", r.Plan.Scope.Name(), "error", err)
		}
	}
	return stands, r.Plan.Known(list), nil
}
