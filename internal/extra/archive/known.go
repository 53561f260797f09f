package archive

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/found-footy/found-footy/internal/extra/archive/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/recognize/footage"
)

// Known implements footage.Known of the pipeline.
type Known struct {
	Index    *Archive // nil: this process decodes no clips
	Fixtures store.Store
	Log      *slog.Logger
	Stays    time.Duration // after a match's kickoff
}

// Before implements footage.Known. An archive that cannot look says nothing about the post, which goes on.
func (k *Known) Before(ctx context.Context, p footy.Post, print footy.Fingerprint) (*footy.Seen, error) {
	if k.Index == nil {
		return nil, nil
	}
	f, err := k.Fixtures.Fixture(ctx, p.FixtureID)
	if err != nil {
		return nil, err
	}
	e := f.Event(p.EventUID)
	if e == nil {
		return nil, nil
	}
	hits, err := k.Index.Find(ctx, print, func(fixture int64) bool { return fixture != f.ID })
	if errors.Is(err, ErrCannotLook) {
		k.Log.Info("not checked for old footage", "module", "download", "action", "archive", "event_uid", p.EventUID, "post_id", p.PostID, "error", err)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, h := range hits {
		if !footage.OldBy(print, h.Match) {
			continue
		}
		s, proven, err := Shows(ctx, k.Fixtures, h.StoredFingerprint)
		if err != nil {
			return nil, err
		}
		if proven && rule.Before(s, f, *e) {
			s.Match = &h.Match
			return &s, nil
		}
	}
	return nil, nil
}

// Keeps implements footage.Known.
func (k *Known) Keeps(f footy.Fixture, prints []footy.StoredFingerprint) []footy.StoredFingerprint {
	return rule.Keeps(f, prints)
}

// For implements footage.Known.
func (k *Known) For() time.Duration { return k.Stays }
