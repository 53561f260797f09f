// Package footage decides whether what was read in the frames of one video says what another one shows, so that a model need
// not be asked again. When in doubt it says no, for then the model is asked.
package footage

import (
	"cmp"
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/clock"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

// How surely one video is footage of another. Dedup joins what has a good stretch in common; here each of two goals of one
// compilation would have that.
const (
	sureShare    = 0.85 // of the overlap that must agree
	sureCovered  = 0.8  // of the video that the stretch must cover, and
	sureUnshared = 1.5  // seconds that may lie beyond it
	// sureLikeness is between what copies reach (0.8 to 1.2) and what a film of a screen does (0.4): what is true of the footage is not true of that.
	sureLikeness = 0.6
	// oldScore is the score from which on a video is taken for footage that was kept of another match. There are very many such clips,
	// so more is asked for than between the clips of one goal: docs/bench.md has what strangers reach.
	oldScore = 0.6
)

// within reports whether a video of a length surely holds next to nothing that the one it was compared with does not show.
func within(length float64, m footy.Comparison) bool {
	shared := m.To - m.From
	return m.Same && m.Share >= sureShare && shared >= sureCovered*length && length-shared <= sureUnshared
}

// Readings are those of another video's readings that were made of footage which this one shows, too; ok is false where this one is not
// surely a copy of footage of the other, or where all that was read lies outside of it, or what lies inside does not agree.
func Readings(video, of *phash.Prepared, read []footy.Reading) (shown []footy.Reading, ok bool) {
	m := video.Compare(of)
	if !within(video.Seconds(), m) || m.Likeness < sureLikeness {
		return nil, false
	}
	for _, r := range read {
		if at := m.Offset + r.At*m.Speed; at >= m.From && at <= m.To {
			shown = append(shown, r)
		}
	}
	return shown, len(shown) > 0 && (len(shown) == len(read) || len(shown) > 1 && !clock.Undecided(shown))
}

// Order says about which of several videos to ask first: those whose answer holds for most of the videos that wait.
func Order(videos, waiting []*phash.Prepared) []int {
	serves := make([]int, len(videos))
	order := make([]int, len(videos))
	for i, v := range videos {
		order[i] = i
		for _, w := range waiting {
			if within(w.Seconds(), w.Compare(v)) {
				serves[i]++
			}
		}
	}
	slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(serves[k], serves[i]) })
	return order
}

// OldBy reports, by a comparison with one that was kept before, whether a video shows next to nothing but its footage. What moves in it must
// agree nearly all along: an intro, a wipe or a card that both have is not enough, and what stands still says nothing.
func OldBy(video footy.Fingerprint, m footy.Comparison) bool {
	return within(video.Seconds(), m) && m.Score >= oldScore && m.Seconds >= sureCovered*video.Seconds()
}
