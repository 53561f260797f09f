package store

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// PutFingerprint stores the fingerprint of one clip of one event; the same file may be a clip of two events.
func (s *documents) PutFingerprint(ctx context.Context, f footy.StoredFingerprint) error {
	d, err := encodeFingerprint(f)
	if err != nil {
		return err
	}
	return footy.Wrap(footy.CodeUnavailable, "write fingerprint "+d.ID, s.Upsert(ctx, FingerprintsColl, []Doc{d}))
}

// encodeFingerprint makes the document of a fingerprint. Only an archived one has a time: its match's kickoff.
func encodeFingerprint(f footy.StoredFingerprint) (Doc, error) {
	d, err := encode("write fingerprint", f.EventUID+"/"+f.ClipID, f)
	d.Group, d.Sub = decimal(f.FixtureID), f.EventUID
	if f.Seen != nil {
		d.At = instant(f.Seen.Kickoff)
	}
	return d, err
}

func (s *documents) FingerprintRefs(ctx context.Context) ([]footy.FingerprintRef, error) {
	docs, err := s.Select(ctx, FingerprintsColl, Filter{Bare: true})
	if err != nil {
		return nil, footy.Wrap(footy.CodeUnavailable, "list fingerprints", err)
	}
	out := make([]footy.FingerprintRef, len(docs))
	for i, d := range docs {
		fixture, _ := strconv.ParseInt(d.Group, 10, 64) // the group is decimal(FixtureID)
		out[i] = footy.FingerprintRef{ID: d.ID, EventUID: d.Sub, FixtureID: fixture}
	}
	return out, nil
}

func (s *documents) FingerprintsByID(ctx context.Context, ids []string) ([]footy.StoredFingerprint, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	const op = "read fingerprints"
	list, _, err := all(ctx, s, FingerprintsColl, Filter{IDs: ids}, op, decoder[footy.StoredFingerprint](op))
	return list, err
}

// ArchiveFingerprints keeps these of a fixture's fingerprints and no others. What is written first is found by the next try.
func (s *documents) ArchiveFingerprints(ctx context.Context, fixtureID int64, keep []footy.StoredFingerprint) error {
	op := "archive fingerprints of fixture " + decimal(fixtureID)
	wanted := map[string]bool{}
	docs := make([]Doc, len(keep))
	for i, f := range keep {
		var err error
		if docs[i], err = encodeFingerprint(f); err != nil {
			return err
		}
		wanted[docs[i].ID] = true
	}
	if len(docs) > 0 {
		if err := s.Upsert(ctx, FingerprintsColl, docs); err != nil {
			return footy.Wrap(footy.CodeUnavailable, op, err)
		}
	}
	there, err := s.Select(ctx, FingerprintsColl, Filter{Group: decimal(fixtureID), Bare: true})
	if err != nil {
		return footy.Wrap(footy.CodeUnavailable, op, err)
	}
	var others []string
	for _, d := range there {
		if !wanted[d.ID] {
			others = append(others, d.ID)
		}
	}
	if len(others) == 0 {
		return nil
	}
	return footy.Wrap(footy.CodeUnavailable, op, s.Backend.Delete(ctx, FingerprintsColl, Filter{IDs: others}))
}

// DeleteArchived removes archived fingerprints; the others have no time.
func (s *documents) DeleteArchived(ctx context.Context, before time.Time) error {
	err := s.Backend.Delete(ctx, FingerprintsColl, Filter{From: epoch, To: instant(before)})
	return footy.Wrap(footy.CodeUnavailable, "delete archived fingerprints", err)
}

func (s *documents) Fingerprints(ctx context.Context, eventUID string) ([]footy.StoredFingerprint, error) {
	if eventUID == "" {
		return nil, footy.Errorf(footy.CodeInvalid, "read fingerprints", "an empty uid names no event")
	}
	op := "read fingerprints of " + eventUID
	list, _, err := all(ctx, s, FingerprintsColl, Filter{Subs: []string{eventUID}}, op, decoder[footy.StoredFingerprint](op))
	return list, err
}

func (s *documents) PutTombstone(ctx context.Context, t footy.Tombstone) error {
	d, err := encode("write tombstone", t.Digest+"/"+t.EventUID, t)
	if err != nil {
		return err
	}
	d.Group, d.Sub, d.At = decimal(t.FixtureID), t.EventUID, instant(t.At)
	return footy.Wrap(footy.CodeUnavailable, "write tombstone "+d.ID, s.Upsert(ctx, TombstonesColl, []Doc{d}))
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
