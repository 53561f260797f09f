package cleanup

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"go.temporal.io/sdk/activity"

	"github.com/found-footy/found-footy/internal/decide/keeping"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/upload"
)

const sweepKey = "sweep"

type lastSweep struct {
	At time.Time `json:"at"`
}

// LastSweep is when the last sweep was; zero before the first.
func LastSweep(ctx context.Context, s store.State) (time.Time, error) {
	last, err := store.Fact[lastSweep](ctx, s, sweepKey)
	return last.At, err
}

// SweepDue reports whether the last sweep was long enough ago.
func (a *Activities) SweepDue(ctx context.Context, now time.Time) bool {
	last, err := LastSweep(ctx, a.Store)
	return err == nil && (now.Sub(last) >= a.Keep.Sweep || last.After(now)) // the clock was ahead
}

// Sweep is Sweep, as workflows call it.
var Sweep = policy.Define[policy.Timing, policy.Nothing]("sweep_leftovers", policy.Row{Queue: policy.QueueMain, Timeout: 90 * time.Second, Heartbeat: 30 * time.Second, Tries: 2,
	Why: "deletes what nothing refers to; the next sweep comes anyway"})

// Sweep deletes the bytes that nothing needs any more: staged files that no open post refers to, goals that have been removed
// for long, and retired copies whose Upload died before it could.
func (a *Activities) Sweep(ctx context.Context, _ policy.Timing) error {
	now := a.Now().UTC()
	if may, err := a.mayDelete(ctx, now); err != nil || !may {
		return errors.Join(err, a.Store.PutState(ctx, sweepKey, lastSweep{At: now}))
	}
	failed := []error{a.sweep(ctx, now)}
	for _, also := range a.Also {
		failed = append(failed, also(ctx, now))
	}
	return errors.Join(failed...)
}

func (a *Activities) sweep(ctx context.Context, now time.Time) error {
	life, err := a.life(ctx, now)
	if err != nil {
		return err
	}
	if err := a.sweepStaging(ctx, now, life); err != nil {
		return err
	}
	if was, err := LastSweeps(ctx, a.Store); err != nil {
		return err
	} else if was.Last[Orphans].Held != "" { // an operator may have acted since; else it is looked for once a day
		if err := a.orphans(ctx, life); err != nil {
			return err
		}
	}
	fixtures, err := a.Store.List(ctx, store.FixtureQuery{Stages: []footy.Stage{footy.StageActive, footy.StageCompleted}})
	if err != nil {
		return err
	}
	for _, f := range fixtures {
		activity.RecordHeartbeat(ctx, f.ID)
		for _, e := range f.Events {
			switch {
			case e.Removed && (!e.Swept || len(e.Clips) > 0) && now.Sub(e.RemovedAt) >= a.Keep.Removed:
				err = a.sweepRemoved(ctx, f.ID, e)
			case e.DownloadComplete && upload.HasCopies(&e):
				err = upload.DeleteCopies(ctx, a.Store, a.Blob, policy.EventInput{FixtureID: f.ID, EventUID: e.UID})
			}
			if err != nil {
				return err
			}
		}
	}
	return a.Store.PutState(ctx, sweepKey, lastSweep{At: now})
}

// spareStaged is how many staged objects that no post names workers may have left that died before they wrote down what they had.
const spareStaged = 16

// sweepStaging deletes staged bytes that no open post refers to.
func (a *Activities) sweepStaging(ctx context.Context, now time.Time, life keeping.Life) error {
	sweep := keeping.Sweep{Spare: spareStaged}
	old := map[string][]blob.Attributes{} // by digest
	var ended, unknown []blob.Attributes
	err := a.Blob.List(ctx, blob.StagingPrefix, func(at blob.Attributes) error {
		sweep.Lies.Add(at.Size)
		if now.Sub(at.ModTime) < a.Keep.Staging {
			return nil
		}
		digest, _, inFilm := strings.Cut(strings.TrimPrefix(at.Key, blob.StagingPrefix), "/")
		if inFilm {
			old[digest] = append(old[digest], at)
		} else { // a try whether the store can be written
			ended = append(ended, at)
		}
		return nil
	})
	if err != nil {
		return err
	}
	open, err := a.Store.Posts(ctx, store.PostQuery{Open: true}) // after the listing: what is staged later is not in it
	if err != nil {
		return err
	}
	for _, p := range open {
		if p.Media != nil {
			delete(old, p.Media.Digest)
		}
	}
	named, err := a.named(ctx, old)
	if err != nil || store.HasDamage(a.Store, store.PostsColl, "") {
		return err // a post that cannot be read may need any of them
	}
	for digest, list := range old {
		if named[digest] {
			ended = append(ended, list...)
		} else {
			unknown = append(unknown, list...)
		}
	}
	return a.sweepUnknown(ctx, Staging, sweep, life, ended, unknown)
}

// named are those of these digests that a post names, open or ended. Most belong to the latest matches.
func (a *Activities) named(ctx context.Context, digests map[string][]blob.Attributes) (map[string]bool, error) {
	named := map[string]bool{}
	if len(digests) == 0 {
		return named, nil
	}
	fixtures, err := a.Store.List(ctx, store.FixtureQuery{})
	if err != nil {
		return nil, err
	}
	for _, f := range slices.Backward(fixtures) {
		activity.RecordHeartbeat(ctx, f.ID)
		posts, err := a.Store.Posts(ctx, store.PostQuery{FixtureID: f.ID})
		if err != nil {
			return nil, err
		}
		for _, p := range posts {
			if p.Media != nil && digests[p.Media.Digest] != nil {
				named[p.Media.Digest] = true
			}
		}
		if len(named) == len(digests) {
			break
		}
	}
	return named, nil
}

// sweepRemoved deletes the bytes of a removed goal and strikes its clips from the record; the event stays as a marker, so that
// its links can say why. The mark comes first, the clips go last: a try that died in between is made good by the next.
func (a *Activities) sweepRemoved(ctx context.Context, fixture int64, e footy.Event) error {
	change := func(do func(*footy.Event)) (done bool, err error) {
		_, err = a.Store.Update(ctx, fixture, func(f *footy.Fixture) ([]footy.Entry, error) {
			ev := f.Event(e.UID)
			if done = ev != nil && ev.Removed; !done {
				return nil, store.ErrUnchanged
			}
			do(ev)
			return nil, nil
		})
		return done, err
	}
	if marked, err := change(func(e *footy.Event) { e.Swept = true }); err != nil || !marked {
		return err
	}
	var deleted keeping.Amount
	err := a.deleteBytes(ctx, e, &deleted)
	if err := a.report(ctx, Removed, deleted, err); err != nil {
		return err
	}
	_, err = change(func(e *footy.Event) { e.Clips = nil })
	return err
}

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
