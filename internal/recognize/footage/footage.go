// Package footage decides whether what was read in the frames of one video says what another one shows, so that a model need
// not be asked again: the same footage for nearly all of it, and under the same overlay. When in doubt it says no, for then
// the model is asked.
package footage

import (
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/clock"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

// Footage is what is kept of a video to recognise it by, for as long as its goal is kept.
type Footage struct {
	Fingerprint footy.Fingerprint
	Overlay     Overlay
}

// How surely one video is footage of another. Dedup joins what has a good stretch in common; here each of two goals of one
// compilation would have that.
const (
	sureShare    = 0.85 // of the overlap that must agree
	sureCovered  = 0.8  // of the video that the stretch must cover, and
	sureUnshared = 1.5  // seconds that may lie beyond it
)

// Within reports whether one video is surely footage of the other: it holds next to nothing that the other does not show.
func (f Footage) Within(of Footage) bool {
	return within(f, phash.Compare(f.Fingerprint, of.Fingerprint))
}

func within(f Footage, m phash.Match) bool {
	length := float64(len(f.Fingerprint.Frames)) * f.Fingerprint.Interval
	shared := m.To - m.From
	return m.Same && m.Share >= sureShare && shared >= sureCovered*length && length-shared <= sureUnshared
}

// Readings are those of another video's readings that were made of footage which this one shows, too; ok is false where a
// model must be asked about this one. They must say what the frames of this one would: all that was read, or enough
// of it to agree.
func (f Footage) Readings(of Footage, read []footy.Reading) (shown []footy.Reading, ok bool) {
	m := phash.Compare(f.Fingerprint, of.Fingerprint)
	if !within(f, m) {
		return nil, false
	}
	for _, r := range read {
		if at := m.Offset + r.At*m.Speed; at >= m.From && at <= m.To {
			shown = append(shown, r)
		}
	}
	if len(shown) == 0 || len(shown) < len(read) && (len(shown) < 2 || clock.Undecided(shown)) {
		return nil, false
	}
	return shown, f.Overlay.Same(of.Overlay, m.Mirrored)
}
