package clockface

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// side of a box in pixels, both ways. A digit of a small broadcast is two boxes wide and three high.
const side = 4

// beats holds how much each box of the picture changes from one look to the next.
type beats struct {
	cols, rows int
	leave      int      // every so many lines of a box are looked at
	floor      byte     // what is darker counts as this
	pairs      [][]byte // one a pair of looks: four times the mean change of a pixel, at most 255
}

// allLines is the height of a picture whose digits are so small that every line counts.
const allLines = 400

func newBeats(w, h int, floor byte) *beats {
	b := &beats{cols: w / 8 * 2, rows: h / side, leave: 1, floor: floor}
	if h > allLines {
		b.leave = 2
	}
	return b
}

// size is how many boxes there are, filled up to whole words.
func (b *beats) size() int { return (b.cols*b.rows + 7) / 8 * 8 }

const (
	odd  = 0x00ff00ff00ff00ff // the odd bytes of a word, as 16-bit lanes
	high = 0x8080808080808080 // the highest bit of each byte
)

// less subtracts eight bytes from eight, and marks with their highest bit those where it comes to less than nothing.
func less(x, y uint64) (difference, below uint64) {
	same := ^(x ^ y)
	d := ((x | high) - (y &^ high)) ^ same&high
	return d, (y&^x | same&d) & high
}

// differ returns the absolute differences of eight bytes, those of two neighbours added in a 16-bit lane.
func differ(x, y uint64) uint64 {
	d, below := less(x, y)
	d = (d ^ (below<<1 - below>>7)) + below>>7
	return d&odd + d>>8&odd
}

// lifted is eight bytes, none of them below a floor of at least half the range; a floor of 0 leaves them as they are.
func lifted(x uint64, floor byte) uint64 {
	if floor == 0 {
		return x
	}
	const ones = high >> 7
	above := (x&^high + ones*uint64(256-int(floor))) & x & high // 128 more than the floor has carried, and the byte has its highest bit
	keep := above >> 7 * 255
	return x&keep | ones*uint64(floor)&^keep
}

func (b *beats) add(old, now []byte, width int) {
	out := make([]byte, b.size())
	per, step := uint32(side/b.leave), b.leave*width
	for r := range b.rows {
		o, n := old[r*side*width:(r+1)*side*width], now[r*side*width:(r+1)*side*width]
		line := out[r*b.cols : (r+1)*b.cols]
		for i := 0; i+1 < len(line); i += 2 { // two boxes are a word wide
			var sum uint64
			for k := side * i; k < len(o) && k < len(n); k += step {
				x, y := binary.LittleEndian.Uint64(o[k:]), binary.LittleEndian.Uint64(n[k:])
				if b.floor == 0 || (x|y)&high != 0 { // else all of it is darker than the floor
					sum += differ(lifted(x, b.floor), lifted(y, b.floor))
				}
			}
			left, right := uint32(sum&0xffff+sum>>16&0xffff), uint32(sum>>32&0xffff+sum>>48)
			line[i], line[i+1] = byte(min(255, left/per)), byte(min(255, right/per))
		}
	}
	b.pairs = append(b.pairs, out)
}

// place is where something changes once a second.
type place struct {
	x, y     int     // pixel in its middle
	tick     float64 // a look with which a second begins
	from, to int     // looks between which it was seen to
	score    float64
}

const (
	mostPlaces = 14       // the surest, which are looked at first
	allPlaces  = 60       // so many where none of the surest is a clock: in compressed footage, much beats with key frames
	span       = 6 * Rate // looks in which a beat is searched
	leap       = 3 * Rate
)

// stretch is a part of the window that is searched for itself: a score bug comes and goes.
type stretch struct {
	from, to int
	calm     []int      // boxes that may beat
	changes  [][]byte   // of each pair, calm box by calm box, filled up to whole words
	around   [][]uint16 // the same of each with its eight neighbours; nil until it is asked for
}

// stretches cuts what is held. Each is searched for a dozen periods, so what they share is put together once.
func (b *beats) stretches() []stretch {
	var out []stretch
	for from, n := 0, len(b.pairs); ; from += leap {
		to := min(from+span, n)
		if to-from < minSeconds*Rate-2 {
			break
		}
		if n-to < leap/2 { // the rest is no search of its own
			to = n
		}
		s := stretch{from: from, to: to, calm: b.calm(from, to)}
		s.around = make([][]uint16, len(s.calm))
		for _, pair := range b.pairs[from:to] {
			line := make([]byte, (len(s.calm)+7)/8*8)
			for k, i := range s.calm {
				line[k] = pair[i]
			}
			s.changes = append(s.changes, line)
		}
		out = append(out, s)
		if to == n {
			break
		}
	}
	return out
}

// sums are the changes of a calm box and its neighbours together, pair by pair.
func (b *beats) sums(s *stretch, k int) []uint16 {
	if s.around[k] == nil {
		s.around[k] = make([]uint16, s.to-s.from)
		for t := range s.around[k] {
			s.around[k][t] = b.changeAround(s.from+t, s.calm[k])
		}
	}
	return s.around[k]
}

// changeAround is how much a box and its neighbours change with a pair of looks.
func (b *beats) changeAround(t, i int) (sum uint16) {
	for j := i - b.cols; j <= i+b.cols; j += b.cols {
		for _, v := range b.pairs[t][j-1 : j+2] {
			sum += uint16(v)
		}
	}
	return sum
}

// calm lists the boxes of a stretch that change by far more than usual now and then, and stand still most of the time.
func (b *beats) calm(from, to int) []int {
	words := b.size() / 8
	sums, level, counts := make([][2]uint64, words), make([]byte, 8*words), make([]uint64, words) // sums of the even boxes of a word and of the odd ones
	for t := from; t < to; t++ {
		pair := b.pairs[t]
		for k := range sums {
			x := binary.LittleEndian.Uint64(pair[8*k:])
			sums[k][0], sums[k][1] = sums[k][0]+x&odd, sums[k][1]+x>>8&odd
		}
	}
	for i := range level {
		level[i] = byte(min(255, 3+int(sums[i/8][i%2]>>(i%8/2*16)&0xffff)*3/2/(to-from)))
	}
	for t := from; t < to; t++ {
		pair := b.pairs[t]
		for k := range counts {
			_, over := less(binary.LittleEndian.Uint64(level[8*k:]), binary.LittleEndian.Uint64(pair[8*k:]))
			counts[k] += over >> 7
		}
	}
	var out []int
	for i, l := range level[:b.cols*b.rows] {
		n := int(counts[i/8] >> (i % 8 * 8) & 0xff)
		if n < 3 || n > (to-from)*9/20 || l >= 60 {
			continue
		}
		if x, y := i%b.cols, i/b.cols; x > 0 && y > 0 && x < b.cols-1 && y < b.rows-1 {
			out = append(out, i)
		}
	}
	return out
}

// places finds boxes that beat with a period of so many looks, the surest first.
func (b *beats) places(stretches []stretch, period float64) []place {
	var all []place
	for i := range stretches {
		all = append(all, b.search(&stretches[i], period)...)
	}
	return apart(all)
}

// apart keeps the best of places that lie on one another.
func apart(all []place) []place {
	slices.SortStableFunc(all, func(p, q place) int { return cmp.Compare(q.score, p.score) })
	var out []place
	for _, p := range all {
		if len(out) < allPlaces && !slices.ContainsFunc(out, func(q place) bool {
			return max(p.x-q.x, q.x-p.x) <= 4*side && max(p.y-q.y, q.y-p.y) <= 5*side
		}) {
			out = append(out, p)
		}
	}
	return out
}

// phaseOf says in which part of a period a pair lies.
func phaseOf(pair int, period float64, bins int) int {
	k := float64(pair) / period
	return min(bins-1, int((k-float64(int(k)))*float64(bins)+1e-6))
}

// search folds the changes of calm boxes by a period, eight boxes at once: a sum of a stretch's changes has room in 16 bits.
func (b *beats) search(s *stretch, period float64) []place {
	bins, n := int(period+0.5), s.to-s.from
	counts, of := make([]int, bins), make([]int, n)
	for t := range of {
		of[t] = phaseOf(s.from+t, period, bins)
		counts[of[t]]++
	}
	folded := make([][2]uint64, bins) // of the even boxes and of the odd ones
	var out []place
	for k := range s.calm {
		if k%8 == 0 {
			clear(folded)
			for t, line := range s.changes {
				x, f := binary.LittleEndian.Uint64(line[k:]), &folded[of[t]]
				f[0], f[1] = f[0]+x&odd, f[1]+x>>8&odd
			}
		}
		at := func(bin int) int { return int(folded[bin][k%2] >> (k % 8 / 2 * 16) & 0xffff) }
		total, peak := 0, 0
		for i := range folded {
			if total += at(i); at(i) > at(peak) {
				peak = i
			}
		}
		if at(peak) < 4*counts[peak] || 2*at(peak)+at((peak+1)%bins)+at((peak+bins-1)%bins) < total {
			continue // a period that is no whole number of looks spreads its ticks
		}
		if p, ok := b.verify(s, k, peak, of, period, bins); ok {
			out = append(out, p)
		}
	}
	return out
}

// verify looks at each second alone: nearly every one must have its tick, and nothing else must move as much. of is the phase of
// each pair.
func (b *beats) verify(s *stretch, k, phase int, of []int, period float64, bins int) (place, bool) {
	sums := b.sums(s, k)
	between := func(t int) bool { far := (of[t] - phase + bins) % bins; return far > 1 && far < bins-1 }
	first := float64(phase) * period / float64(bins)
	ticks := make([]uint16, int(float64(s.to)/period)+2)
	seen := len(ticks) // the number of the first tick that can be seen whole
	for t, sum := range sums {
		if between(t) {
			continue
		}
		k := int((float64(s.from+t)-first)/period + 0.5)
		ticks[k] = max(ticks[k], sum)
		if of[t] == phase {
			seen = min(seen, k)
		}
	}
	last := int((float64(s.to-1)-first)/period + 0.5)
	if float64(s.to-1) < first+float64(last)*period {
		last--
	}
	ticks = ticks[min(seen, len(ticks)):max(seen, last+1)]
	slices.Sort(ticks)
	if len(ticks) < fewest(len(b.pairs)+1) || ticks[1] < 16 {
		return place{}, false
	}
	beat, loud := int(ticks[1]), 0
	rest := make([]uint16, 0, span+leap)
	for t, sum := range sums {
		if between(t) {
			rest = append(rest, sum)
			if 2*int(sum) > beat {
				loud++
			}
		}
	}
	quiet := len(rest) * 8 / 10
	if len(rest) < 8 || len(rest)-loud <= quiet {
		return place{}, false
	}
	slices.Sort(rest)
	noise := int(rest[quiet])
	x, y := s.calm[k]%b.cols, s.calm[k]/b.cols
	return place{x: x*side + side/2, y: y*side + side/2, tick: (float64(phase)+0.5)*period/float64(bins) + 0.5, from: s.from, to: s.to, score: float64(beat-noise) / float64(noise+12)}, true
}

// fit measures period and phase of a place by a line through its ticks, followed from the stretch in which it was found.
func (b *beats) fit(p place, period float64) (place, float64) {
	at := func(t int) int { return int(b.changeAround(t, p.y/side*b.cols+p.x/side)) }
	var ks, ts []float64
	reach := int(period * 0.3)
	expect := p.tick - 1
	for expect < float64(p.from) {
		expect += period
	}
	for k := 0; int(expect+0.5)+reach < p.to; k++ {
		best, most, total := 0, -1, 0
		for t := max(0, int(expect+0.5)-reach); t <= int(expect+0.5)+reach; t++ {
			v := at(t)
			total += v
			if v > most {
				best, most = t, v
			}
		}
		if 2*most > total { // else nothing stood out: a digit that hardly changes, or a cut
			ks, ts = append(ks, float64(k)), append(ts, float64(best))
			expect = float64(best)
		}
		expect += period
	}
	if len(ks) < minSeconds {
		return p, period
	}
	var sk, st, skk, skt float64
	n := float64(len(ks))
	for i, k := range ks {
		sk, st, skk, skt = sk+k, st+ts[i], skk+k*k, skt+k*ts[i]
	}
	slope := (n*skt - sk*st) / (n*skk - sk*sk)
	p.tick = (st-slope*sk)/n + 1
	return p, slope
}
