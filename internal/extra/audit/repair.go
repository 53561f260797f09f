package audit

import (
	"context"
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/decide/clip/dedup"
	"github.com/found-footy/found-footy/internal/decide/clip/rank"
	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// Repair puts right what a report found, as far as that is safe, and tells each act. What is no longer so is left alone; what
// cannot be put right is told in failed and keeps nothing else from it.
func Repair(ctx context.Context, s store.Store, b blob.Store, r Report, o Options) (done, failed []string) {
	fix := repairer{Store: s, blob: b, Options: o.normal(), done: map[string]bool{}, owners: map[string]*Owners{}}
	for _, br := range r.Breaches {
		if !br.Repairable {
			continue
		}
		if err := fix.one(ctx, br); err != nil {
			failed = append(failed, fmt.Sprintf("%s, %s%s: %v", br.Check, where(br), br.Detail, err))
		}
	}
	return fix.told, failed
}

type repairer struct {
	store.Store
	Options
	blob   blob.Store
	told   []string
	done   map[string]bool    // events computed anew
	owners map[string]*Owners // by directory, as they are now
}

func (r *repairer) one(ctx context.Context, b Breach) error {
	switch b.Check {
	case PostNextTry:
		return r.post(ctx, b, "made due now", ledger.Retry(), func(p footy.Post) bool { return p.State == footy.PostWaiting && p.NextTry.Sub(r.Now) > r.Ahead })
	case PostEvent:
		return r.post(ctx, b, "ended: its goal is gone", ledger.LoseEvent(), func(p footy.Post) bool { return !p.Ended() })
	case PostNotClosed:
		return r.close(ctx, b)
	case ClipRank, ClipRedirect:
		return r.recompute(ctx, b)
	case RowMissing:
		row, ok := b.fix.(footy.Entry)
		if !ok {
			return nil
		}
		if err := r.Append(ctx, row); err != nil {
			return err
		}
		r.tell("log row %s written", b.Key)
	case TakedownBytes, ObjectOwner:
		return r.object(ctx, b)
	}
	return nil
}

func (r *repairer) tell(format string, args ...any) {
	r.told = append(r.told, fmt.Sprintf(format, args...))
}

// post moves a record of the ledger, if it is still as it was found.
func (r *repairer) post(ctx context.Context, b Breach, what string, e ledger.Event, still func(footy.Post) bool) error {
	did := false
	_, err := r.Advance(ctx, b.EventUID, b.PostID, func(p footy.Post) (footy.Post, []footy.Entry, error) {
		if did = still(p); !did {
			return p, nil, store.ErrUnchanged
		}
		return ledger.Advance(p, e, r.Now.UTC(), ledger.Delays{})
	})
	return r.acted(err, did, "post %s of %s %s", b.PostID, b.EventUID, what)
}

// acted tells of an act. What is gone needs none.
func (r *repairer) acted(err error, did bool, format string, args ...any) error {
	if footy.IsNotFound(err) {
		return nil
	}
	if err == nil && did {
		r.tell(format, args...)
	}
	return err
}

// close gives a post the end that its event's clips say.
func (r *repairer) close(ctx context.Context, b Breach) error {
	f, err := r.Fixture(ctx, b.FixtureID)
	if err != nil {
		return err
	}
	p, err := r.Post(ctx, b.EventUID, b.PostID)
	if err != nil {
		return err
	}
	e := f.Event(b.EventUID)
	if e == nil {
		return nil
	}
	is, ok := ledger.ByClips(p, *e)
	if !ok {
		return nil
	}
	return r.post(ctx, b, "closed: a clip counts it", is, func(p footy.Post) bool { return !p.Ended() })
}

// recompute computes copies, popularity, redirects and ranks of an event from its clips, and tells what that changes.
func (r *repairer) recompute(ctx context.Context, b Breach) error {
	if r.done[b.EventUID] {
		return nil
	}
	r.done[b.EventUID] = true
	stored, err := r.Fingerprints(ctx, b.EventUID)
	if err != nil {
		return err
	}
	prints := map[string]footy.Fingerprint{}
	for _, p := range stored {
		prints[p.ClipID] = p.Fingerprint
	}
	did := false
	_, err = r.Update(ctx, b.FixtureID, func(f *footy.Fixture) (rows []footy.Entry, err error) {
		e := f.Event(b.EventUID)
		if did = e != nil; !did {
			return nil, store.ErrUnchanged
		}
		clips, redirects := slices.Clone(e.Clips), maps.Clone(e.Redirects)
		e.Clips = slices.Clone(e.Clips)
		if decidable(e, prints) {
			for _, c := range dedup.Apply(e, prints) {
				rows = append(rows, r.changed(b, c))
			}
		}
		rank.Apply(e)
		if did = !reflect.DeepEqual(clips, e.Clips) || !maps.Equal(redirects, e.Redirects); !did {
			return nil, store.ErrUnchanged
		}
		return rows, nil
	})
	return r.acted(err, did, "goal of %s ranked anew", b.EventUID)
}

// changed is the row of a clip that the rules decide about otherwise than was stored.
func (r *repairer) changed(b Breach, c dedup.Change) footy.Entry {
	return footy.Entry{Key: fmt.Sprintf("%s/%s/audit/%s-%s", b.EventUID, c.Kind, c.ClipID, c.Winner), FixtureID: b.FixtureID, EventUID: b.EventUID,
		At: r.Now.UTC(), Kind: c.Kind, ClipID: c.ClipID, Reason: c.Reason(), Data: c.Evidence}
}

// object deletes an object unless it was written anew, or has found its owner, since it was seen.
func (r *repairer) object(ctx context.Context, b Breach) error {
	seen, _ := b.fix.(blob.Attributes)
	owners, err := r.ownersNow(ctx, b.Key)
	if err != nil || owners.owns(b.Key) {
		return err
	}
	now, err := r.blob.Stat(ctx, b.Key)
	if footy.IsNotFound(err) {
		return nil
	}
	if err != nil || !now.ModTime.Equal(seen.ModTime) {
		return err
	}
	if err := r.blob.Delete(ctx, b.Key); err != nil {
		return err
	}
	r.tell("object %s deleted", b.Key)
	return nil
}

// ownersNow reads who needs the objects of a directory; once for all of them.
func (r *repairer) ownersNow(ctx context.Context, key string) (*Owners, error) {
	dir := path.Dir(key)
	if strings.HasPrefix(key, blob.StagingPrefix) {
		dir = blob.StagingPrefix
	}
	if o := r.owners[dir]; o != nil {
		return o, nil
	}
	o := &Owners{}
	if dir == blob.StagingPrefix {
		posts, err := r.Posts(ctx, store.PostQuery{Open: true})
		if err != nil {
			return nil, err
		}
		o.Add(Match{Posts: posts})
	} else {
		f, err := r.FixtureOfEvent(ctx, path.Base(dir))
		if err == nil {
			m, failed := read(ctx, r.Store, f)
			if failed != nil {
				return nil, failed
			}
			o.Add(m)
		} else if !footy.IsNotFound(err) {
			return nil, err
		}
	}
	r.owners[dir] = o
	return o, nil
}
