package store

import (
	"context"
	"strconv"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// PutFingerprint stores the fingerprint of one clip of one event; the same file may be a clip of two events.
func (s *documents) PutFingerprint(ctx context.Context, f footy.StoredFingerprint) error {
	d, err := encode("write fingerprint", f.EventUID+"/"+f.ClipID, f)
	if err != nil {
		return err
	}
	d.Group, d.Sub = decimal(f.FixtureID), f.EventUID
	return footy.Wrap(footy.CodeUnavailable, "write fingerprint "+d.ID, s.Upsert(ctx, FingerprintsColl, []Doc{d}))
}

// Fingerprints returns all fingerprints of one event, by clip id.
func (s *documents) Fingerprints(ctx context.Context, eventUID string) ([]footy.StoredFingerprint, error) {
	if eventUID == "" {
		return nil, footy.Errorf(footy.CodeInvalid, "read fingerprints", "an empty uid names no event")
	}
	op := "read fingerprints of " + eventUID
	list, _, err := all(ctx, s, FingerprintsColl, Filter{Subs: []string{eventUID}}, op, decoder[footy.StoredFingerprint](op))
	return list, err
}

// DeleteFingerprints removes the fingerprints of one fixture.
func (s *documents) DeleteFingerprints(ctx context.Context, fixtureID int64) error {
	err := s.Backend.Delete(ctx, FingerprintsColl, Filter{Group: decimal(fixtureID)})
	return footy.Wrap(footy.CodeUnavailable, "delete fingerprints of fixture "+decimal(fixtureID), err)
}

// PutTombstone keeps content from coming back.
func (s *documents) PutTombstone(ctx context.Context, t footy.Tombstone) error {
	d, err := encodeTombstone(t)
	if err != nil {
		return err
	}
	return footy.Wrap(footy.CodeUnavailable, "write tombstone "+d.ID, s.Upsert(ctx, TombstonesColl, []Doc{d}))
}

func encodeTombstone(t footy.Tombstone) (Doc, error) {
	d, err := encode("write tombstone", t.Digest+"/"+t.EventUID, t)
	d.Group, d.Sub, d.At = decimal(t.FixtureID), t.EventUID, instant(t.At)
	return d, err
}

// Tombstones lists everything that was taken down, oldest first. Of a damaged one the id still says what it was: content that was
// taken down must not come back because a row of the database went bad.
func (s *documents) Tombstones(ctx context.Context) ([]footy.Tombstone, error) {
	const op = "read tombstones"
	list, _, err := all(ctx, s, TombstonesColl, Filter{}, op, func(d Doc) (footy.Tombstone, error) {
		t, err := decode[footy.Tombstone](op, d)
		if digest, uid, ok := strings.Cut(d.ID, "/"); err != nil && ok {
			fixture, _ := strconv.ParseInt(d.Group, 10, 64) // the group is decimal(FixtureID)
			return footy.Tombstone{Digest: digest, EventUID: uid, FixtureID: fixture, At: d.At}, partial{err}
		}
		return t, err
	})
	return list, err
}
