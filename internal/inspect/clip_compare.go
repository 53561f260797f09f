package inspect

import (
	"context"
	"fmt"
	"math"

	"github.com/found-footy/found-footy/internal/explain"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/phash"
)

// ClipComparison says whether two files show the same footage.
type ClipComparison struct {
	Match         bool    `json:"match"`
	Score         float64 `json:"score"` // 0..1; from 0.5 they match
	OffsetS       float64 `json:"offset_s"`
	Mirrored      bool    `json:"mirrored"`
	Speed         float64 `json:"speed"`
	MatchedFrames int     `json:"matched_frames"`
	Reason        string  `json:"reason"`
}

// Compare fingerprints two files and compares them, whatever the gate says of them.
func (c Clips) Compare(ctx context.Context, a, b string) (ClipComparison, error) {
	var fps [2]footy.Fingerprint
	var digests [2]string
	for i, file := range []string{a, b} {
		facts, fp, err := c.examine(ctx, file)
		if err != nil {
			return ClipComparison{}, err
		}
		if err := facts.unusable(fp); err != nil {
			return ClipComparison{}, err
		}
		fps[i], digests[i] = fp, facts.Digest
	}
	if digests[0] != "" && digests[0] == digests[1] {
		return identical(fps[0]), nil
	}
	return comparison(phash.Compare(fps[0], fps[1])), nil
}

// identical answers for two files with the same bytes, whatever they show.
func identical(fp footy.Fingerprint) ClipComparison {
	return ClipComparison{Match: true, Score: 1, Speed: 1, MatchedFrames: len(fp.Frames), Reason: "the same file, byte for byte (by digest)"}
}

func comparison(m phash.Match) ClipComparison {
	return ClipComparison{Match: m.Same, Score: round(m.Score), OffsetS: round(m.Offset), Mirrored: m.Mirrored, Speed: m.Speed,
		MatchedFrames: m.MatchedFrames, Reason: explain.Comparison(*m.Evidence())}
}

// round keeps three decimals: more would pretend.
func round(v float64) float64 { return math.Round(v*1000) / 1000 }

// String explains the comparison to people.
func (c ClipComparison) String() string {
	word := "different"
	if c.Match {
		word = "same"
	}
	return fmt.Sprintf("%s (score %.3f, limit 0.5): %s\n", word, c.Score, c.Reason)
}
