package audit

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/decide/keeping"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/owner"
	"github.com/found-footy/found-footy/internal/keep/store"
)

const (
	// sweepsKey is where the pipeline's sweeps note when the database was in use.
	sweepsKey = "sweeps"
	// usual is the longest pause between two sweeps of a footy that runs.
	usual = 30 * time.Minute
	// spare is how many objects workers that died may have left.
	spare = 16
)

const heldRemedy = "--repair leaves them: they are many, or older than the database, or of a time in which it was not in use. If it is an older copy, footy restore a backup that knows " +
	"them. If nobody needs them, --repair --unknown deletes them"

// hold keeps the repair from objects without an owner where a sweep would ask an operator: the database may be an older copy, or the wrong one.
func hold(ctx context.Context, s store.Store, objects Objects, owners *Owners, found []Breach, o Options) error {
	if o.Unknown {
		return nil
	}
	is, err := owner.InstallationOf(ctx, s)
	if err != nil && !footy.IsNotFound(err) {
		return err
	}
	var sweeps struct {
		Seen time.Time     `json:"seen"`
		Gaps []keeping.Gap `json:"gaps"`
	}
	if err := s.State(ctx, sweepsKey, &sweeps); err != nil && !footy.IsNotFound(err) {
		return err
	}
	life := keeping.Life{Began: is.Began, Gaps: sweeps.Gaps}.Since(sweeps.Seen, time.Now(), usual)
	sweep := keeping.Sweep{Spare: spare}
	for key, at := range objects {
		if ours(key) {
			sweep.Lies.Add(at.Size)
		}
	}
	for _, b := range found {
		if at, ok := b.fix.(blob.Attributes); ok && b.Check == ObjectOwner && !owners.named(b.Key) {
			sweep.Find(at.Size, at.ModTime, life)
		}
	}
	strict := sweep // of what is older, or of another life of the database, not one
	strict.Spare, strict.Whole = 0, true
	if sweep.Held() == "" && strict.Held() == "" {
		return nil
	}
	for i, b := range found {
		if b.Check == ObjectOwner && !owners.named(b.Key) {
			found[i].Repairable, found[i].Remedy = false, heldRemedy
		}
	}
	return nil
}

// named reports whether a post that ended needed a staged object.
func (o *Owners) named(key string) bool {
	digest, staged := stagedOf(key)
	return staged && !o.ended[digest].IsZero()
}
