package download

import (
	"context"
	"errors"

	"github.com/found-footy/found-footy/internal/decide/clip/seen"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/archive"
	"github.com/found-footy/found-footy/internal/recognize/footage"
	"go.temporal.io/sdk/activity"
)

// seenBefore says which match the footage of a post was kept of before its own began; nil: none that is known. An archive that cannot look
// says nothing about the post, which goes on.
func (a *Activities) seenBefore(ctx context.Context, p footy.Post, print footy.Fingerprint) (*footy.Seen, error) {
	if a.Archive == nil {
		return nil, nil
	}
	f, err := a.Store.Fixture(ctx, p.FixtureID)
	if err != nil {
		return nil, err
	}
	e := f.Event(p.EventUID)
	if e == nil {
		return nil, nil
	}
	hits, err := a.Archive.Find(ctx, print, func(fixture int64) bool { return fixture != f.ID })
	if errors.Is(err, archive.ErrCannotLook) {
		activity.GetLogger(ctx).Info("nobody looks whether a post is old footage", "module", "download", "action", "archive", "event_uid", p.EventUID, "post_id", p.PostID, "error", err)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, h := range hits {
		beat(ctx)
		if !footage.OldBy(print, h.Match) {
			continue
		}
		s, proven, err := archive.Shows(ctx, a.Store, h.StoredFingerprint)
		if err != nil {
			return nil, err
		}
		if proven && seen.Before(s, f, *e) {
			s.Match = h.Match.Evidence()
			return &s, nil
		}
	}
	return nil, nil
}
