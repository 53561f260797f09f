package phash

import (
	"math"
	"math/bits"
)

// alignment is the best stretch two videos share, along one line through the table of all sample pairs.
type alignment struct {
	score    float64 // evidence, in perfectly agreeing moving samples
	count    int     // samples that agree
	from, to int     // first and last sample of the stretch in the first video
	i, j     int     // a pair of samples on the line
	speed    float64 // samples of the first video per sample of the second
	mirrored bool
	combo    int
}

// variantPairs are the variants compared with each other: a cropped copy shows what the other's centre shows.
var variantPairs = [3][2]int{{outer, outer}, {outer, inner}, {inner, outer}}

// evidenceUnit is the scale of integer evidence: score table (pairUnit) times weight (255).
const (
	pairUnit     = 1 << 8
	evidenceUnit = pairUnit * 255
)

// evidenceTable turns a distance over n bits into evidence: unit for no distance, 0 at the allowed share, at least -unit.
func evidenceTable(n int, share, unit float64, out []int32) {
	limit := share * float64(n)
	for d := range n + 1 {
		out[d] = int32(unit * max(-1, (limit-float64(d))/limit))
	}
}

// aligner compares two views, each by one variant.
type aligner struct {
	ha, va, da, hb, vb, db []uint64 // horizontal, vertical and detail words of both
	wa, wb                 []uint8
	mh, mv, md             uint64 // bits that vary in both
	layout, detail         [256]int32
	hopelessDistance       int // layout distance from which on no detail makes a pair count as alike
}

// pair is the evidence of one pair of samples.
func (al *aligner) pair(i, j int) int32 {
	d := bits.OnesCount64((al.ha[i]^al.hb[j])&al.mh) + bits.OnesCount64((al.va[i]^al.vb[j])&al.mv)
	e := bits.OnesCount64((al.da[i] ^ al.db[j]) & al.md)
	return int32(min(al.wa[i], al.wb[j])) * max(-pairUnit, al.layout[d&255]+al.detail[e&255])
}

// align finds the best stretch over all offsets, then lets the second video run a little faster or slower.
func (p *Prepared) align(q *Prepared, mirrored bool) alignment {
	var best alignment
	for c := range variantPairs {
		al, ok := p.aligner(q, c, mirrored)
		if !ok {
			continue
		}
		n, m := len(al.wa), len(al.wb)
		for off := 1 - m; off < n; off++ {
			i0 := max(0, off)
			if s := al.diagonal(i0, i0-off); float64(s)/evidenceUnit > best.score {
				best = alignment{score: float64(s) / evidenceUnit, i: i0, j: i0 - off, speed: 1, mirrored: mirrored, combo: c}
			}
		}
	}
	if best.score == 0 {
		return best
	}
	al, _ := p.aligner(q, best.combo, mirrored)
	return al.refine(best)
}

func (p *Prepared) aligner(q *Prepared, c int, mirrored bool) (aligner, bool) {
	va, vb := &p.view[0], &q.view[0]
	if mirrored {
		vb = &q.view[1]
	}
	ka, kb := variantPairs[c][0], variantPairs[c][1]
	al := aligner{ha: va.words[ka], va: va.words[ka+1], da: va.detail, wa: p.weights,
		hb: vb.words[kb], vb: vb.words[kb+1], db: vb.detail, wb: q.weights,
		mh: va.mask[ka] & vb.mask[kb], mv: va.mask[ka+1] & vb.mask[kb+1], md: va.detailMask & vb.detailMask}
	n := maskBits(al.mh, al.mv)
	if n < minTelling {
		return al, false
	}
	evidenceTable(n, layoutDistance/128, pairUnit, al.layout[:])
	if n := bits.OnesCount64(al.md); n >= minTellingDetail {
		evidenceTable(n, detailDistance/56, pairUnit*detailShare, al.detail[:])
	}
	for al.hopelessDistance < n && al.layout[al.hopelessDistance]+al.detail[0] > 0 {
		al.hopelessDistance++
	}
	return al, true
}

// diagonal is the evidence of the best stretch that keeps one offset.
func (al *aligner) diagonal(i, j int) (best int32) {
	n := min(len(al.wa)-i, len(al.wb)-j)
	ha, va, da, wa := al.ha[i:i+n], al.va[i:i+n], al.da[i:i+n], al.wa[i:i+n]
	hb, vb, db, wb := al.hb[j:j+n], al.vb[j:j+n], al.db[j:j+n], al.wb[j:j+n]
	mh, mv, md := al.mh, al.mv, al.md
	var sum int32
	for k := range n {
		d := bits.OnesCount64((ha[k]^hb[k])&mh) + bits.OnesCount64((va[k]^vb[k])&mv)
		if sum <= 0 && d >= al.hopelessDistance {
			continue // most pairs of different footage end here
		}
		e := bits.OnesCount64((da[k] ^ db[k]) & md)
		v := max(-pairUnit, al.layout[d&255]+al.detail[e&255])
		sum = max(0, sum+int32(min(wa[k], wb[k]))*v)
		best = max(best, sum)
	}
	return best
}

// triedSpeeds are tried around the best offset.
var triedSpeeds = []float64{1, 0.98, 1.02, 0.99, 1.01, 0.97, 1.03, 0.96, 1.04, 0.95, 1.05}

// minSpeedShift is how many samples another speed must shift the ends of a stretch by: below that it only mends half-sample
// shifts and says nothing of speed.
const minSpeedShift = 1.5

// refine walks lines of other speeds through the middle of the best stretch and keeps the one with most evidence.
func (al *aligner) refine(r alignment) alignment {
	r = al.walk(r, 1)
	best := r
	mid := (r.from + r.to) / 2
	through := r
	through.i, through.j = mid, r.j+mid-r.i
	for _, s := range triedSpeeds[1:] {
		if math.Abs(s-1)*float64(r.to-r.from) < minSpeedShift {
			continue
		}
		for shift := -1; shift <= 1; shift++ {
			try := through
			try.j += shift
			if try = al.walk(try, s); try.score > best.score*1.02 {
				best = try
			}
		}
	}
	return best
}

// walk follows the line of one speed through the pair (r.i, r.j) over the whole overlap.
func (al *aligner) walk(r alignment, speed float64) alignment {
	r.speed, r.score, r.count = speed, 0, 0
	var sum, top int32
	start, count := -1, 0
	for i := range al.wa {
		j := r.sampleBeside(i)
		if j < 0 {
			continue
		}
		if j >= len(al.wb) {
			break
		}
		v := al.pair(i, j)
		if sum += v; sum <= 0 {
			sum, count, start = 0, 0, -1
			continue
		}
		if start < 0 {
			start = i
		}
		if v > 0 {
			count++
		}
		if sum > top {
			top = sum
			r.from, r.to, r.count = start, i, count
		}
	}
	r.score = float64(top) / evidenceUnit
	return r
}

// overlapWeight is how much of the overlap of two videos agrees along one line, in full samples.
type overlapWeight struct {
	agree, all         float64 // weight of the pairs that agree, and of all
	restAgree, restAll float64 // the same, of the pairs beyond the best stretch
}

func (c overlapWeight) share() float64 { return c.agree / max(1, c.all) }

// overlap weighs all pairs along the line of r.
func (p *Prepared) overlap(q *Prepared, r alignment) (c overlapWeight) {
	al, ok := p.aligner(q, r.combo, r.mirrored)
	if !ok {
		return c
	}
	for i := range al.wa {
		j := r.sampleBeside(i)
		if j < 0 || j >= len(al.wb) {
			continue
		}
		w, agree := float64(min(al.wa[i], al.wb[j]))/255, 0.0
		if al.pair(i, j) > 0 {
			agree = w
		}
		c.all, c.agree = c.all+w, c.agree+agree
		if i < r.from || i > r.to {
			c.restAll, c.restAgree = c.restAll+w, c.restAgree+agree
		}
	}
	return c
}

// sampleBeside is the sample of the second video at the time of sample i of the first.
func (r alignment) sampleBeside(i int) int { return r.j + int(math.Round(float64(i-r.i)/r.speed)) }
