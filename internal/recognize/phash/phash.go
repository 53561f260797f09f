// Package phash decides from the picture alone whether two videos show the same footage. Fingerprints are built from
// small grey samples; comparing is pure and never crosses versions. Static, black and low-texture samples carry no
// weight, so intro cards, league wipes and black frames join nothing.
package phash

import (
	"math"

	"github.com/found-footy/found-footy/internal/footy"
)

// innerMargin is what the inner variant cuts off at each side of the active picture. Copies cropped by 3-6 % in all
// meet the inner variant of the original.
const innerMargin = 0.04

// Build turns the samples of one decode into a fingerprint.
func Build(s footy.Samples) footy.Fingerprint {
	fp := footy.Fingerprint{Version: footy.FingerprintVersion, Interval: s.Interval, Duration: s.Duration}
	if len(s.Pix) == 0 {
		return fp
	}
	beat := beatOf(s.Interval)
	sparse := make([][]byte, 0, len(s.Pix)/beat+1) // bars and captions show in few samples as well as in all
	for i := 0; i < len(s.Pix); i += beat {
		sparse = append(sparse, s.Pix[i])
	}
	picture := activeArea(sparse)
	live := rowsBetweenCaptions(sparse, picture)
	visible := picture.between(live)
	second := picture.shrink(innerMargin)
	if visible != picture {
		// A caption was drawn over the picture, or the picture was moved out of its way: the variants stand for the two.
		second = visible
	}
	shown := live
	if over, ok := picture.barred(); ok && visible == picture {
		// Bars were drawn over the picture, or it was made lower to fit between them.
		second, shown = whole, over
	}
	fp.Frames = make([]footy.Frame, len(s.Pix))
	traits := make([]trait, len(s.Pix))
	recent := make([][width * height]uint8, beat) // the last samples, equalised
	for i, pix := range s.Pix {
		eq := &recent[i%beat]
		before := *eq // of a beat ago
		equalise(pix, visible, eq)
		f := &fp.Frames[i]
		f.Bits[outer], f.Bits[outer+1] = differences(eq, picture, live)
		f.Bits[inner], f.Bits[inner+1] = differences(eq, second, shown)
		if i < beat {
			before = recent[0]
		}
		f.Detail = detail(eq, &before, picture)
		traits[i] = traitOf(pix, picture)
	}
	setWeights(fp.Frames, traits, beat)
	return fp
}

// beatSeconds is the time over which the picture's motion is judged, and between two samples that count as evidence of their own: those
// between them are much like them, and only serve to meet the other video's at the right moment.
const beatSeconds = 0.25

func beatOf(interval float64) int { return max(1, int(math.Round(beatSeconds/interval))) }
