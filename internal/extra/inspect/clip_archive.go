package inspect

import (
	"context"
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/archive"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/recognize/footage"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// Archive is the footage of all clips that were kept.
type Archive struct {
	Index   *archive.Archive
	Store   store.Store
	Refuses bool // posts of old footage are refused (ARCHIVE_DAYS)
}

// Archived opens the archive in a directory, and brings it up to date: a running footy does so every few minutes only.
func Archived(ctx context.Context, dir string, s store.Store, refuses bool) (*Archive, error) {
	a := &Archive{Index: archive.Open(dir, s, time.Now), Store: s, Refuses: refuses}
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
		shows, proven, err := archive.Shows(ctx, a.Store, h.StoredFingerprint)
		if err != nil {
			return err
		}
		hit := ClipHit{File: footy.ClipPath(h.EventUID, h.ClipID), Shows: "a match that is not stored", ClipComparison: comparison(h.Match)}
		if shows.FixtureID != 0 {
			hit.Shows = explain.Shown(shows)
		}
		if a.Refuses && proven && footage.OldBy(fp, h.Match) {
			hit.OldAfter = &shows.AddedAt
		}
		out.Hits = append(out.Hits, hit)
	}
	return nil
}
