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
	return f.against(of).within()
}

// Takeover is whether what was read of one video holds for another that shows its footage, and on what that rests.
type Takeover struct {
	Match   phash.Match
	Length  float64         // seconds of the video that is asked about
	Shown   []footy.Reading // that fall into the stretch which both show
	Overlay bool            // the same stands still in both, as far as it was compared
	Why     Why
}

// Why a model must be asked all the same.
type Why string

// The reasons, in the order in which they are looked for; "" = none: what was read holds.
const (
	OtherFootage Why = "other_footage" // it shows nothing of the other, or that is not sure
	MoreFootage  Why = "more_footage"  // it shows more than the other does
	FewReadings  Why = "few_readings"  // what was read falls outside of what both show, or does not agree there
	OtherOverlay Why = "other_overlay" // another score box or clock lies over it, or that is unknown
)

func (f Footage) against(of Footage) Takeover {
	return Takeover{Match: phash.Compare(f.Fingerprint, of.Fingerprint), Length: float64(len(f.Fingerprint.Frames)) * f.Fingerprint.Interval}
}

// Shared is how many seconds both show.
func (t Takeover) Shared() float64 { return t.Match.To - t.Match.From }

func (t Takeover) sure() bool { return t.Match.Same && t.Match.Share >= sureShare }

func (t Takeover) within() bool {
	return t.sure() && t.Shared() >= sureCovered*t.Length && t.Length-t.Shared() <= sureUnshared
}

// Readings are those of another video's readings that were made of footage which this one shows, too; ok is false where a
// model must be asked about this one.
func (f Footage) Readings(of Footage, read []footy.Reading) (shown []footy.Reading, ok bool) {
	t := f.TakeOver(of, read)
	return t.Shown, t.Why == ""
}

// TakeOver compares a video with another one of which was read. The readings must say what the frames of this one would: all that was
// read, or enough of it to agree.
func (f Footage) TakeOver(of Footage, read []footy.Reading) Takeover {
	t := f.against(of)
	if !t.within() {
		if t.Why = OtherFootage; t.sure() {
			t.Why = MoreFootage
		}
		return t
	}
	for _, r := range read {
		if at := t.Match.Offset + r.At*t.Match.Speed; at >= t.Match.From && at <= t.Match.To {
			t.Shown = append(t.Shown, r)
		}
	}
	if len(t.Shown) == 0 || len(t.Shown) < len(read) && (len(t.Shown) < 2 || clock.Undecided(t.Shown)) {
		t.Why = FewReadings
		return t
	}
	if t.Overlay = f.Overlay.Same(of.Overlay, t.Match.Mirrored); !t.Overlay {
		t.Why = OtherOverlay
	}
	return t
}
