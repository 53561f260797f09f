package phash

import (
	"math"
	"math/bits"
)

// run is the best stretch two videos share, along one line through the table of all sample pairs.
type run struct {
	score    float64 // evidence, in perfectly agreeing moving samples
	count    int     // samples that agree
	from, to int     // first and last sample of the stretch in the first video
	i, j     int     // a pair of samples on the line
	speed    float64 // samples of the first video per sample of the second
	mirrored bool
	combo    int
}

// combos are the variants compared with each other: a cropped copy shows what the other's centre shows.
var combos = [3][2]int{{outer, outer}, {outer, inner}, {inner, outer}}

// fixed is the scale of integer evidence: score table (one) times weight (255).
const (
	one   = 1 << 8
	fixed = one * 255
)

// table turns a distance over n telling bits into evidence: 1 for none, 0 at the allowed distance, at worst -1.
func table(n int, out *[129]int32) {
	limit := allowed / 128 * float64(n)
	for d := range n + 1 {
		out[d] = int32(one * max(-1, (limit-float64(d))/limit))
	}
}

// aligner compares two views of fixed variants.
type aligner struct {
	a, b   [][4]uint64
	wa, wb []uint8
	ka, kb int
	mh, mv uint64
	tab    [129]int32
}

// pair is the evidence of one pair of samples.
func (al *aligner) pair(i, j int) int32 {
	w := min(al.wa[i], al.wb[j])
	if w == 0 {
		return 0
	}
	d := bits.OnesCount64((al.a[i][al.ka]^al.b[j][al.kb])&al.mh) +
		bits.OnesCount64((al.a[i][al.ka+1]^al.b[j][al.kb+1])&al.mv)
	return int32(w) * al.tab[d]
}

// align finds the best stretch over all offsets, then lets the second video run a little faster or slower.
func (p *Prepared) align(q *Prepared, mirrored bool) run {
	var best run
	for c := range combos {
		al, ok := p.aligner(q, c, mirrored)
		if !ok {
			continue
		}
		n, m := len(al.a), len(al.b)
		for off := 1 - m; off < n; off++ {
			i0 := max(0, off)
			if s := al.diagonal(i0, i0-off); float64(s)/fixed > best.score {
				best = run{score: float64(s) / fixed, i: i0, j: i0 - off, speed: 1, mirrored: mirrored, combo: c}
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
	ka, kb := combos[c][0], combos[c][1]
	al := aligner{a: va.bits, b: vb.bits, wa: p.weights, wb: q.weights, ka: ka, kb: kb,
		mh: va.mask[ka] & vb.mask[kb], mv: va.mask[ka+1] & vb.mask[kb+1]}
	n := telling(al.mh, al.mv)
	if n < minTelling {
		return al, false
	}
	table(n, &al.tab)
	return al, true
}

// diagonal is the evidence of the best stretch that keeps one offset.
func (al *aligner) diagonal(i, j int) (best int32) {
	var sum int32
	n := min(len(al.a)-i, len(al.b)-j)
	for k := range n {
		sum = max(0, sum+al.pair(i+k, j+k))
		best = max(best, sum)
	}
	return best
}

// speeds are tried around the best offset.
var speeds = []float64{1, 0.98, 1.02, 0.99, 1.01, 0.97, 1.03, 0.96, 1.04, 0.95, 1.05}

// drift is how many samples another speed must shift the ends of a stretch by: below that it only mends half-sample
// shifts and says nothing of speed.
const drift = 1.5

// refine walks lines of other speeds through the middle of the best stretch and keeps the one with most evidence.
func (al *aligner) refine(r run) run {
	r = al.walk(r, 1)
	best := r
	mid := (r.from + r.to) / 2
	through := r
	through.i, through.j = mid, r.j+mid-r.i
	for _, s := range speeds[1:] {
		if math.Abs(s-1)*float64(r.to-r.from) < drift {
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
func (al *aligner) walk(r run, speed float64) run {
	r.speed, r.score, r.count = speed, 0, 0
	var sum, top int32
	start, count := -1, 0
	for i := range al.a {
		j := r.j + int(math.Round(float64(i-r.i)/speed))
		if j < 0 {
			continue
		}
		if j >= len(al.b) {
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
	r.score = float64(top) / fixed
	return r
}

// overlap is, along the line of r, the weight of all pairs in full samples and the share of it that agrees.
func (p *Prepared) overlap(q *Prepared, r run) (share, weight float64) {
	al, ok := p.aligner(q, r.combo, r.mirrored)
	if !ok {
		return 0, 0
	}
	var agree, all int
	for i := range al.a {
		j := r.j + int(math.Round(float64(i-r.i)/r.speed))
		if j < 0 || j >= len(al.b) {
			continue
		}
		w := int(min(al.wa[i], al.wb[j]))
		all += w
		if al.pair(i, j) > 0 {
			agree += w
		}
	}
	if all == 0 {
		return 0, 0
	}
	return float64(agree) / float64(all), float64(all) / 255
}
