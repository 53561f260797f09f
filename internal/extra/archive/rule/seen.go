// Package rule decides what footage that was kept of one match proves about a goal of another.
package rule

import (
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Shows says what a clip shows, where that is proven: it is verified, nobody hid it, its goal stands and its match is over.
func Shows(f footy.Fixture, eventUID, clipID string) (footy.Seen, bool) {
	e := f.Event(eventUID)
	if e == nil || e.Removed || f.Stage != footy.StageCompleted {
		return footy.Seen{}, false
	}
	c := e.Clip(clipID)
	if c == nil || !c.Verified || c.Hidden {
		return footy.Seen{}, false
	}
	return footy.SeenIn(f, *e, *c), true
}

// Before reports whether a clip was kept before anything of a match could be filmed: then its footage shows no goal of it, whatever it does
// show. Nothing else is believed: of two matches at once each may have got a clip of the other.
func Before(s footy.Seen, f footy.Fixture, e footy.Event) bool {
	began := f.Match.Kickoff
	for _, t := range []time.Time{e.FirstSeen, e.HappenedAt} {
		if !t.IsZero() && t.Before(began) {
			began = t
		}
	}
	after := OldAfter(s)
	return s.FixtureID != f.ID && after != nil && after.Before(began)
}

// OldAfter is the time that a later match must have begun after for the footage to be old there; nil: of no match.
func OldAfter(s footy.Seen) *time.Time {
	if s.AddedAt.IsZero() {
		return nil
	}
	return new(slices.MaxFunc([]time.Time{s.AddedAt, s.Kickoff}, time.Time.Compare))
}

// Keeps are the fingerprints of a fixture that stay when it is deleted, with what they show: of the clips that people see and that are proven.
func Keeps(f footy.Fixture, prints []footy.StoredFingerprint) (out []footy.StoredFingerprint) {
	for _, p := range prints {
		s, ok := Shows(f, p.EventUID, p.ClipID)
		if !ok || !f.Event(p.EventUID).Clip(p.ClipID).Visible() || p.Fingerprint.Empty() {
			continue
		}
		p.Seen = &s
		out = append(out, p)
	}
	return out
}
