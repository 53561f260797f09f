// Package phash decides from the picture alone whether two videos show the same footage. Fingerprints are built from
// small grey samples; comparing is pure and never crosses versions. Static, black and low-texture samples carry no
// weight, so intro cards, league wipes and black frames join nothing.
package phash

import (
	"math"
	"slices"

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

const (
	// layoutDistance is the distance, in bits of 128, below which the layout of two samples speaks for them. Re-encodes lie at
	// 1-6, half a sample apart 8-16, crops met by the second variant 5-10, different footage around 64.
	layoutDistance = 34.0
	// detailDistance is the same for the 56 bits of detail, and detailShare what they count for beside the layout: two
	// goals of one match seen by one camera panning alike have the layout in common for seconds, the players never.
	detailDistance = 13.0
	detailShare    = 0.4
	// minTelling is how many varying bits two videos must share: fewer say nothing.
	minTelling       = 32
	minTellingDetail = 20
	// neededEvidence is the evidence, in perfectly agreeing moving samples, that joins two videos which agree over nearly their
	// whole overlap.
	neededEvidence = 8.5
	// disagreementCost is what each part of the overlap that disagrees adds to it. Chance reaches 9 at times, but over a third
	// of an overlap, where 18 are asked for, and two goals of one match whose camera pans alike 13 over half of it, where 16 are.
	disagreementCost = 18.0
	// otherSpeedCost is added where the second runs faster or slower: more lines were tried.
	otherSpeedCost = 1.0
	nearlyAll      = 0.9
	// longOverlap is the weight an overlap needs before agreeing over all of it means much; on shorter ones, at the very
	// ends of two videos, neededOnShort is asked for.
	longOverlap   = 16.0
	neededOnShort = 9.5
)

// needed is the evidence asked for where share of an overlap of some weight agrees.
func needed(share, weight float64) float64 {
	n := neededEvidence + disagreementCost*max(0, nearlyAll-share)
	if weight < longOverlap {
		n = max(n, neededOnShort)
	}
	return n
}

// Compare decides whether two fingerprints show the same footage.
func Compare(a, b footy.Fingerprint) footy.Comparison { return Prepare(a).Compare(Prepare(b)) }

// Compare decides whether two prepared fingerprints show the same footage.
func (p *Prepared) Compare(q *Prepared) footy.Comparison {
	if p.keeper != nil && p.keeper == q.keeper {
		return p.keeper.Comparison(p, q, (*Prepared).compare)
	}
	return p.compare(q)
}

func (p *Prepared) compare(q *Prepared) footy.Comparison {
	switch {
	case p.fp.Version != q.fp.Version:
		return footy.Comparison{Speed: 1, Mismatch: footy.MismatchVersion}
	case p.fp.Interval != q.fp.Interval:
		return footy.Comparison{Speed: 1, Mismatch: footy.MismatchInterval}
	case p.fp.Empty() || q.fp.Empty():
		return footy.Comparison{Speed: 1, Mismatch: footy.MismatchEmpty}
	}
	best := p.best(q)
	m := p.judge(q, best)
	if m.SharedBumper { // behind the bumper the same goal may follow, at another offset
		a, b := p.withoutStretch(best.from, best.to), q.withoutStretch(best.sampleBeside(best.from), best.sampleBeside(best.to))
		if behind := a.judge(b, a.best(b)); behind.Same {
			return behind
		}
	}
	return m
}

func (p *Prepared) judge(q *Prepared, r alignment) footy.Comparison {
	m := footy.Comparison{Speed: 1}
	if r.count == 0 {
		return m
	}
	dt := p.fp.Interval
	m.Mirrored, m.Speed, m.MatchedFrames = r.mirrored, r.speed, r.count
	m.Offset = (float64(r.i) - float64(r.j)*r.speed) * dt
	m.From, m.To = float64(r.from)*dt, float64(r.to+p.beat)*dt
	seen := p.overlap(q, r)
	share := seen.share()
	limit := needed(share, seen.all)
	if r.speed != 1 {
		limit += otherSpeedCost
	}
	if r.score >= limit && r.score < neededForBumper && p.sharedBumper(q, r, seen) {
		m.SharedBumper, limit = true, neededForBumper
	}
	m.Same, m.Score, m.Likeness = r.score >= limit, r.score/(r.score+limit), r.score/max(1, seen.agree)
	m.Seconds, m.Share = float64(min(r.count*p.beat, len(p.fp.Frames), len(q.fp.Frames)))*dt, share // the last beat may be cut short
	return m
}

// Channels put the same bumper, a moving intro or outro, before or after everything they upload. Two goals then share a stretch at
// the very beginning or end of both and nothing else; two copies of one goal that begin together also go on together.

const (
	// neededForBumper is the evidence asked for where only such a stretch is shared: some seven seconds of it.
	neededForBumper = 36.0
	// bumperMargin is how many beats a bumper may be from the end of its video, still ones not counted.
	bumperMargin = 3
	// restMinWeight is the least weight of what is beside the stretch before that says anything (half the stretch's own at least), and
	// restChance the share of it that may agree by chance.
	restMinWeight = 10.0
	restChance    = 0.25
)

// sharedBumper reports whether a stretch looks like a shared intro or outro.
func (p *Prepared) sharedBumper(q *Prepared, r alignment, c overlapWeight) bool {
	if c.restAll < restMinWeight || c.restAgree > restChance*c.restAll || c.restAll < (c.all-c.restAll)/2 {
		return false
	}
	first, last := p.movingSamples()
	firstQ, lastQ := q.movingSamples()
	margin := bumperMargin * p.beat
	begins := r.from <= first+margin && r.sampleBeside(r.from) <= firstQ+margin
	ends := r.to >= last-margin && r.sampleBeside(r.to) >= lastQ-margin
	return begins || ends
}

// movingSamples returns the first and the last sample that carry weight.
func (p *Prepared) movingSamples() (first, last int) {
	last = len(p.weights) - 1
	for first < last && p.weights[first] < 64 {
		first++
	}
	for last > first && p.weights[last] < 64 {
		last--
	}
	return first, last
}

// withoutStretch is the video with a stretch of it left out of account.
func (p *Prepared) withoutStretch(from, to int) *Prepared {
	out := *p
	out.weights = slices.Clone(p.weights)
	clear(out.weights[max(0, from):min(len(out.weights), to+1)])
	return &out
}
