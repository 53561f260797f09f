package archive

import (
	"context"
	"errors"

	"github.com/found-footy/found-footy/internal/extra/archive/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// Shows says what a kept clip shows, and whether that is proven: by its match while that is stored, then by itself. It is the zero Seen
// once neither knows.
func Shows(ctx context.Context, stored store.Store, kept footy.StoredFingerprint) (s footy.Seen, proven bool, err error) {
	if kept.Seen != nil {
		return *kept.Seen, true, nil
	}
	f, err := stored.Fixture(ctx, kept.FixtureID)
	if footy.IsNotFound(err) || errors.Is(err, store.ErrDamaged) { // it is being deleted, or nobody knows what it was
		return s, false, nil
	}
	if err != nil {
		return s, false, err
	}
	if s, proven = rule.Shows(f, kept.EventUID, kept.ClipID); proven {
		return s, true, nil
	}
	e := f.Event(kept.EventUID)
	if e == nil {
		e = &footy.Event{UID: kept.EventUID}
	}
	return footy.SeenIn(f, *e, footy.Clip{ID: kept.ClipID}), false, nil
}
