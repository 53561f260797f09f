package phash

import "github.com/found-footy/found-footy/internal/footy"

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
