package phash

import "math/bits"

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

// pair is the evidence of one pair of samples.
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
