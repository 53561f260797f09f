package footage

import (
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

// oldScore is the score from which on a video is taken for footage that was kept of another match. There are very many such clips, so more is
// asked for than between the clips of one goal: docs/bench.md has what strangers reach.
const oldScore = 0.6

// OldBy reports, by a comparison with one that was kept before, whether a video shows next to nothing but its footage. What moves in it must
// agree nearly all along: an intro, a wipe or a card that both have is not enough, and what stands still says nothing.
func OldBy(video footy.Fingerprint, m phash.Match) bool {
	t := Takeover{Match: m, Length: float64(len(video.Frames)) * video.Interval}
	return t.within() && m.Score >= oldScore && m.Seconds >= sureCovered*t.Length
}
