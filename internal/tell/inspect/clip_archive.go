package inspect

import (
	"context"
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/archive"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// Archive is the footage of all clips that were kept.
type Archive struct {
	Index *archive.Archive
	Store store.Store
}

// Archived opens the archive in a directory. Where no running footy keeps it up to date it is brought up to date first.
func Archived(ctx context.Context, dir string, s store.Store) (*Archive, error) {
	a := &Archive{Index: archive.Open(dir, s, time.Now), Store: s}
	if a.Index.Trust(ctx, 2*archive.Every) {
		return a, nil
	}
	return a, a.Index.Sync(ctx)
}

// find adds the clips that show the footage. A clip goes by its page, or by its address of then.
func (a *Archive) find(ctx context.Context, fp footy.Fingerprint, out *ClipFind) error {
	began := time.Now()
	hits, err := a.Index.Find(ctx, fp, nil)
	if err != nil {
		return err
	}
	is := a.Index.Status()
	out.Took, out.AsOf = rounded(float64(time.Since(began).Microseconds())/1000), is.Synced
	out.Searched += is.Clips - is.Unlike
	if is.Unlike > 0 {
		out.Note = fmt.Sprintf("%d clips of the archive have no fingerprint of version %q: they could not be looked at", is.Unlike, fp.Version)
	}
	for _, h := range hits {
		shows, err := a.shows(ctx, h.StoredFingerprint)
		if err != nil {
			return err
		}
		out.Hits = append(out.Hits, ClipHit{File: footy.ClipPath(h.EventUID, h.ClipID), Shows: shows, ClipComparison: comparison(h.Match)})
	}
	return nil
}

// shows names the match and the moment of a kept clip.
func (a *Archive) shows(ctx context.Context, kept footy.StoredFingerprint) (string, error) {
	if kept.Seen != nil {
		return explain.Shown(*kept.Seen), nil
	}
	f, err := a.Store.Fixture(ctx, kept.FixtureID)
	if footy.IsNotFound(err) {
		return "a match that is not stored", nil
	}
	if err != nil {
		return "", err
	}
	e, c := f.Event(kept.EventUID), footy.Clip{ID: kept.ClipID}
	if e == nil {
		e = &footy.Event{UID: kept.EventUID}
	}
	return explain.Shown(footy.SeenIn(f, *e, c)), nil
}
