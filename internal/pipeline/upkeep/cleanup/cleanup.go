// Package cleanup deletes what has had its time: fixtures past the retention, bytes of removed goals and of retired copies, staged
// bytes that nothing refers to. Whatever is deleted, a try that died half way is made good by the next.
package cleanup

import (
	"context"
	"time"

	"go.temporal.io/sdk/activity"

	"github.com/found-footy/found-footy/internal/decide/keeping"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/owner"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/footage"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
)

// Activities that delete.
type Activities struct {
	Store store.Store
	Blob  blob.Store
	Keep  Keep // scaled
	Now   func() time.Time
	// Footage says which fingerprints stay when a match goes; nil: none.
	Footage footage.Known
	// Also are sweeps of what others keep in the clip store. Each is done, also where one before it failed.
	Also []func(ctx context.Context, now time.Time) error
}

// Keep says how long things are kept.
type Keep struct {
	Fixtures time.Duration // after kickoff, with all that belongs to them; a setting, never scaled
	Removed  time.Duration // bytes of a removed goal, in case it comes back
	Staging  time.Duration // staged bytes that nothing refers to: a worker may be about to write down that it has them
	Sweep    time.Duration // between two sweeps
}

// Defaults are the product's own numbers.
func Defaults() Keep {
	return Keep{Fixtures: 14 * 24 * time.Hour, Removed: 24 * time.Hour, Staging: time.Hour, Sweep: 15 * time.Minute}
}

// Scaled divides what belongs to the product's time.
func (k Keep) Scaled(n int) Keep {
	k.Removed /= time.Duration(n)
	k.Staging /= time.Duration(n)
	k.Sweep /= time.Duration(n)
	return k
}

// Cleanup is Fixtures, as workflows call it.
var Cleanup = policy.Define[policy.Nothing, int]("cleanup_old_fixtures", policy.Row{Queue: policy.QueueMain, Timeout: 30 * time.Minute, Heartbeat: time.Minute, Tries: 5, Pause: 10 * time.Second,
	Why: "walks old fixtures and their bytes; heartbeats per fixture, tomorrow goes on"})

// Fixtures deletes fixtures older than the retention with everything that belongs to them, and bytes that belong to none.
func (a *Activities) Fixtures(ctx context.Context) (int, error) {
	now := a.Now().UTC()
	if may, err := a.mayDelete(ctx, now); err != nil || !may {
		return 0, err
	}
	life, err := a.life(ctx, now)
	if err != nil {
		return 0, err
	}
	old, err := a.Store.List(ctx, store.FixtureQuery{To: a.Now().Add(-a.Keep.Fixtures)})
	if err != nil {
		return 0, err
	}
	var deleted keeping.Amount
	for i, f := range old {
		activity.RecordHeartbeat(ctx, f.ID)
		if err := a.erase(ctx, f, &deleted); err != nil {
			return i, a.report(ctx, Expired, deleted, err)
		}
	}
	err = a.report(ctx, Expired, deleted, a.Store.DeleteArchived(ctx, a.Now().Add(-a.stays())))
	if err != nil {
		return len(old), err
	}
	return len(old), a.orphans(ctx, life)
}

// mayDelete reports whether the clip store is ours and the clock right. Of a store that is not ours the records stay, too: they are all that
// tells of bytes that lie elsewhere.
func (a *Activities) mayDelete(ctx context.Context, now time.Time) (bool, error) {
	if err := a.Store.Corrupt(); err != nil {
		activity.GetLogger(ctx).Warn("nothing is deleted while the database is corrupt", "action", "sweep", "error", err)
		return false, nil
	}
	err := blob.Writable(ctx, a.Blob)
	if refused := owner.Refused(err); refused != nil {
		activity.GetLogger(ctx).Warn(refused.Reason(), "action", "sweep", "remedy", refused.Remedy())
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return a.clock(ctx, now)
}

// Erase deletes one fixture: bytes first and the record last, so that a crash leaves something to find them by.
func (a *Activities) Erase(ctx context.Context, f footy.Fixture) error {
	var deleted keeping.Amount
	err := a.erase(ctx, f, &deleted)
	return a.report(ctx, Expired, deleted, err)
}

func (a *Activities) erase(ctx context.Context, f footy.Fixture, deleted *keeping.Amount) error {
	for _, e := range f.Events {
		if err := a.deleteBytes(ctx, e, deleted); err != nil {
			return err
		}
	}
	if err := a.unstage(ctx, f.ID, deleted); err != nil {
		return err
	}
	if err := a.archive(ctx, f); err != nil {
		return err
	}
	return a.Store.Delete(ctx, f.ID)
}

// stays is how long after its kickoff what stays of a match's fingerprints is kept.
func (a *Activities) stays() time.Duration {
	if a.Footage == nil {
		return 0
	}
	return a.Footage.For()
}

// archive keeps what old footage is known by, and nothing else of a fixture's fingerprints.
func (a *Activities) archive(ctx context.Context, f footy.Fixture) error {
	var keep []footy.StoredFingerprint
	if a.Footage != nil && a.Now().Sub(f.Match.Kickoff) < a.Footage.For() {
		for _, e := range f.Events {
			prints, err := a.Store.Fingerprints(ctx, e.UID)
			if err != nil {
				return err
			}
			keep = append(keep, a.Footage.Keeps(f, prints)...)
		}
	}
	return a.Store.ArchiveFingerprints(ctx, f.ID, keep)
}

// deleteBytes deletes all clips and pictures of an event.
func (a *Activities) deleteBytes(ctx context.Context, e footy.Event, deleted *keeping.Amount) error {
	for _, prefix := range []string{blob.ClipPrefix, blob.PosterPrefix} {
		if err := a.drop(ctx, prefix+e.UID+"/", deleted); err != nil {
			return err
		}
	}
	return nil
}

// unstage deletes what is staged for the posts of a fixture alone: once they are gone, no record names it.
func (a *Activities) unstage(ctx context.Context, fixture int64, deleted *keeping.Amount) error {
	posts, err := a.Store.Posts(ctx, store.PostQuery{FixtureID: fixture, Open: true})
	if err != nil || len(posts) == 0 {
		return err
	}
	open, err := a.Store.Posts(ctx, store.PostQuery{Open: true})
	if err != nil {
		return err
	}
	needed := map[string]bool{}
	for _, p := range open {
		if p.Media != nil && p.FixtureID != fixture {
			needed[p.Media.Digest] = true
		}
	}
	for _, p := range posts {
		if p.Media == nil || needed[p.Media.Digest] {
			continue
		}
		needed[p.Media.Digest] = true // it is gone then
		if err := a.drop(ctx, blob.StagingPrefix+p.Media.Digest+"/", deleted); err != nil {
			return err
		}
	}
	return nil
}

// drop deletes every object under a prefix.
func (a *Activities) drop(ctx context.Context, prefix string, deleted *keeping.Amount) error {
	var list []blob.Attributes
	if err := a.Blob.List(ctx, prefix, func(at blob.Attributes) error { list = append(list, at); return nil }); err != nil {
		return err
	}
	return a.delete(ctx, list, deleted)
}

func (a *Activities) delete(ctx context.Context, list []blob.Attributes, deleted *keeping.Amount) error {
	for _, at := range list {
		if activity.IsActivity(ctx) { // a start erases matches outside of one
			activity.RecordHeartbeat(ctx, at.Key)
		}
		if err := a.Blob.Delete(ctx, at.Key); err != nil {
			return err
		}
		deleted.Add(at.Size)
	}
	return nil
}
