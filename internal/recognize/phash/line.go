package phash

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// A line is an offset and a speed: which sample of the second video belongs to each of the first. Of the first video one sample a beat
// counts, and the second's is looked for among all it has: a pan changes half the bits in a quarter of a second, and a copy that is
// cut anywhere, or runs at another rate or speed, was never sampled at the same moments.

const (
	// Lines are tried around the best diagonals, maxTried of them, if they have minTried of evidence and leastOfTop of the best one's: a
	// copy that runs at its old speed stands out at once.
	maxTried   = 8
	minTried   = 1.2
	leastOfTop = 0.25
	// Speeds are tried in steps up to maxSpeed; on short videos in larger ones, for a step moves their ends by less than a sample.
	speedStep = 0.01
	maxSpeed  = 0.06
)

// shifts are the samples beside a place that are tried, the nearest first.
var shifts = []int{0, -1, 1, -2, 2}

// stretch is the best part of a diagonal: all pairs of one offset.
type stretch struct {
	score      int32
	i, j       int // the pair in its middle
	aligner    *aligner
	combo, off int
	mirrored   bool
}

// best is the best stretch two videos share, along any line, mirrored or not.
func (p *Prepared) best(q *Prepared) alignment {
	var aligners [2 * len(variantPairs)]aligner
	var top []stretch
	for c := range aligners {
		al, ok := p.aligner(q, c/2, c%2 == 1)
		if !ok {
			continue
		}
		aligners[c] = al
		found := aligners[c].diagonals()
		for k := range found {
			found[k].combo, found[k].mirrored = c/2, c%2 == 1
		}
		top = append(top, found...)
	}
	slices.SortFunc(top, func(a, b stretch) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.combo, b.combo), cmp.Compare(a.off, b.off))
	})
	var best alignment
	for _, s := range top[:min(maxTried, len(top))] {
		if float64(s.score) < leastOfTop*float64(top[0].score) {
			break
		}
		r := alignment{i: s.i, j: s.j, mirrored: s.mirrored, combo: s.combo}
		if r = s.aligner.refine(r); r.score > best.score {
			best = r
		}
	}
	return best
}

// diagonals returns the stretches of the offsets that promise something; of neighbours, which see nearly the same, the best.
func (al *aligner) diagonals() (out []stretch) {
	n, m := len(al.wa), len(al.wb)
	step := max(1, al.beat/2)
	for off := (1 - m) / step * step; off < n; off += step {
		i := (max(0, off) + al.beat - 1) / al.beat * al.beat
		s := al.diagonal(i, i-off)
		if float64(s.score) < minTried*evidenceUnit {
			continue
		}
		s.off, s.aligner = off, al
		if k := len(out) - 1; k >= 0 && off-out[k].off <= step {
			if s.score > out[k].score {
				out[k] = s
			}
			continue
		}
		out = append(out, s)
	}
	return out
}

// diagonal is the best stretch that keeps one offset.
func (al *aligner) diagonal(i, j int) (best stretch) {
	mh, mv, md := al.mh, al.mv, al.md
	var sum int32
	start := i
	for ; i < len(al.wa) && j < len(al.wb); i, j = i+al.beat, j+al.beat {
		d := bits.OnesCount64((al.ha[i]^al.hb[j])&mh) + bits.OnesCount64((al.va[i]^al.vb[j])&mv)
		if sum <= 0 {
			if d >= al.hopelessDistance {
				continue // most pairs of different footage end here
			}
			start = i
		}
		e := bits.OnesCount64((al.da[i] ^ al.db[j]) & md)
		v := max(-pairUnit, al.layout[d&255]+al.detail[e&255])
		sum = max(0, sum+int32(min(al.wa[i], al.wb[j]))*v)
		if sum > best.score {
			mid := (start + i) / 2 / al.beat * al.beat
			best.score, best.i, best.j = sum, mid, j-i+mid
		}
	}
	return best
}

// refine walks the lines of all speeds through the middle of a stretch and beside it, and keeps the one with most evidence. Another
// speed must bring a little more than the one before it: noise is no news.
func (al *aligner) refine(through alignment) (best alignment) {
	try := func(shift int, speed float64) {
		r := through
		r.j += shift
		least := best.score
		if speed != best.speed {
			least *= 1.02
		}
		if r = al.walk(r, speed); r.score > least {
			best = r
		}
	}
	for _, shift := range shifts[:3] {
		try(shift, 1)
	}
	step := max(speedStep, 2/float64(min(len(al.wa), len(al.wb))))
	for s := step; s < maxSpeed+step/2; s += step {
		for _, shift := range shifts[:3] {
			try(shift, 1-s)
			try(shift, 1+s)
		}
	}
	if best.score == 0 {
		return best
	}
	// Once more about the middle of what was found, which may be much longer than the stretch.
	through.i = (best.from + best.to) / 2 / al.beat * al.beat
	through.j = best.sampleBeside(through.i)
	speed := best.speed
	for s := -step; s < step*1.25; s += step / 2 {
		for _, shift := range shifts {
			try(shift, speed+s)
		}
	}
	return best
}

// walk follows the line of one speed through the pair (r.i, r.j) over the whole overlap.
func (al *aligner) walk(r alignment, speed float64) alignment {
	r.speed, r.score, r.count = speed, 0, 0
	var sum, top int32
	start, count := -1, 0
	for i := 0; i < len(al.wa); i += al.beat {
		j := r.sampleBeside(i)
		if j < 0 {
			continue
		}
		if j >= len(al.wb) {
			break
		}
		v := al.near(i, j)
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

// near is the evidence of a sample with the best of those beside a place on the line: frames are shown up to a frame's time early or late.
func (al *aligner) near(i, j int) int32 {
	v := al.pair(i, j)
	if al.beat == 1 {
		return v
	}
	if j > 0 {
		v = max(v, al.pair(i, j-1))
	}
	if j+1 < len(al.wb) {
		v = max(v, al.pair(i, j+1))
	}
	return v
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
	for i := 0; i < len(al.wa); i += al.beat {
		j := r.sampleBeside(i)
		if j < 0 || j >= len(al.wb) {
			continue
		}
		w, agree := float64(min(al.wa[i], al.wb[j]))/255, 0.0
		if al.near(i, j) > 0 {
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

// alignment is the best stretch two videos share, along one line through the table of all sample pairs.
type alignment struct {
	score    float64 // evidence, in perfectly agreeing moving samples
	count    int     // beats that agree
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
	beat                   int // in samples
}

func (al *aligner) pair(i, j int) int32 {
	d := bits.OnesCount64((al.ha[i]^al.hb[j])&al.mh) + bits.OnesCount64((al.va[i]^al.vb[j])&al.mv)
	e := bits.OnesCount64((al.da[i] ^ al.db[j]) & al.md)
	return int32(min(al.wa[i], al.wb[j])) * max(-pairUnit, al.layout[d&255]+al.detail[e&255])
}

func (p *Prepared) aligner(q *Prepared, c int, mirrored bool) (aligner, bool) {
	va, vb := &p.view[0], &q.view[0]
	if mirrored {
		vb = &q.view[1]
	}
	ka, kb := variantPairs[c][0], variantPairs[c][1]
	al := aligner{beat: p.beat, ha: va.words[ka], va: va.words[ka+1], da: va.detail, wa: p.weights,
		hb: vb.words[kb], vb: vb.words[kb+1], db: vb.detail, wb: q.weights,
		mh: va.mask[ka] & vb.mask[kb], mv: va.mask[ka+1] & vb.mask[kb+1], md: va.detailMask & vb.detailMask}
	n := bits.OnesCount64(al.mh) + bits.OnesCount64(al.mv)
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
