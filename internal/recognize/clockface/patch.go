package clockface

import "math"

// The size of the picture that the classifier sees.
const (
	PatchWidth  = 12
	PatchHeight = 16
)

// A patch shows a cell with a margin on each side, in parts of the cell: what stands beside a glyph helps to tell it.
const (
	marginX = 0.2
	marginY = 0.16
)

// Patch is one cell, brought to a fixed size, its mean at 0, its spread at 1, its ink positive.
type Patch [PatchWidth * PatchHeight]float32

// Plane is a part of the picture, averaged over some frames; brightness 0 to 255.
type Plane struct {
	W, H int
	Pix  []float32
}

// NewPlane returns a black one.
func NewPlane(w, h int) Plane { return Plane{W: w, H: h, Pix: make([]float32, w*h)} }

// Cell is where a glyph stands: the box around the ink of all digits that can stand there.
type Cell struct{ X, Y, W, H float64 }

// moved returns the cell shifted by parts of itself and stretched about its middle.
func (c Cell) moved(dx, dy, sx, sy float64) Cell {
	w, h := c.W*sx, c.H*sy
	return Cell{X: c.X + dx*c.W + (c.W-w)/2, Y: c.Y + dy*c.H + (c.H-h)/2, W: w, H: h}
}

// Flat is the least spread, in steps of brightness, that can hold a glyph.
const Flat = 3

// Cut takes the patch of a cell out of a plane; ink is 1 for light glyphs on dark, -1 for dark ones on light. It is
// false where there is nothing but an even shade.
func Cut(p Plane, c Cell, ink float32) (Patch, bool) {
	var out Patch
	var xs [PatchWidth]taps
	var ys [PatchHeight]taps
	w, h := c.W*(1+2*marginX), c.H*(1+2*marginY)
	for i := range xs {
		xs[i] = tapsAt(c.X-marginX*c.W+(float64(i)+0.5)*w/PatchWidth, w/PatchWidth, p.W)
	}
	for i := range ys {
		ys[i] = tapsAt(c.Y-marginY*c.H+(float64(i)+0.5)*h/PatchHeight, h/PatchHeight, p.H)
	}
	var sum, square float32
	var column [PatchWidth]float32
	for j := range ys {
		column = [PatchWidth]float32{}
		for k, wy := range ys[j].weight[:ys[j].n] {
			row := p.Pix[(ys[j].from+k)*p.W : (ys[j].from+k+1)*p.W]
			for i := range xs {
				t := &xs[i]
				var v float32
				for m, wx := range t.weight[:t.n] {
					v += wx * row[t.from+m]
				}
				column[i] += wy * v
			}
		}
		for i, v := range column {
			out[j*PatchWidth+i] = v
			sum += v
			square += v * v
		}
	}
	mean := sum / float32(len(out))
	spread := float32(math.Sqrt(float64(max(0, square/float32(len(out))-mean*mean))))
	if spread < Flat {
		return out, false
	}
	for i, v := range out {
		out[i] = min(3, max(-3, ink*(v-mean)/spread))
	}
	return out, true
}

// taps are the pixels of a line, and their weights, that make one pixel of a patch.
type taps struct {
	from, n int
	weight  [mostTaps]float32
}

const mostTaps = 12

// tapsAt weighs the pixels around a place by a triangle as wide as the step between places, at least one pixel: shrinking
// averages, growing interpolates.
func tapsAt(at, step float64, size int) taps {
	reach := min(math.Max(1, step), mostTaps/2-1)
	var t taps
	lo, hi := int(math.Floor(at-0.5-reach))+1, int(math.Ceil(at-0.5+reach))-1
	t.from = min(max(lo, 0), size-1)
	var sum float32
	for i := lo; i <= hi; i++ {
		k := min(max(i, 0), size-1) - t.from // outside, the border goes on
		w := float32(1 - math.Abs(float64(i)+0.5-at)/reach)
		if k < 0 || k >= mostTaps || w <= 0 {
			continue
		}
		t.weight[k] += w
		t.n = max(t.n, k+1)
		sum += w
	}
	if sum == 0 {
		t.n, t.weight[0], sum = 1, 1, 1
	}
	for k := range t.weight[:t.n] {
		t.weight[k] /= sum
	}
	return t
}

// exemplars are digits in the very font and size of a clip: what the beating cell showed in the seconds in which it surely showed them.
// Nil: not seen.
type exemplars [10]*Patch

// What a comparison counts. Over the fonts that limits are chosen on a digit was like its exemplar by 0.93 in nine of ten places, and another
// digit like it by no more than 0.86 in 99 of 100.
const (
	otherLike = 0.86 // what is less like an exemplar speaks against that digit
	against   = 15   // so much for a whole
	sameLike  = 0.9  // what is more like it speaks for it
	confirms  = 20
	nearby    = 3 // positions to either side: the classifier forgives a shift, a comparison pixel by pixel does not
)

func exemplarsOf(s *strip, q sequence) (out exemplars) {
	for k, p := range s.seconds {
		d := (q.start + k) % 10
		patch, ok := Cut(p, q.cell, q.ink)
		if !ok || !q.follows(k) {
			continue
		}
		if out[d] == nil {
			out[d] = &Patch{}
		}
		for i, v := range patch {
			out[d][i] += v
		}
	}
	for _, p := range out {
		if p != nil {
			p.center()
		}
	}
	return out
}

// center leaves of a patch what lies within the cell, its mean at 0, its length 1.
func (p *Patch) center() {
	var sum, square float32
	n := float32(0)
	inside := func(i int) bool {
		x, y := i%PatchWidth, i/PatchWidth
		return x > 1 && x < PatchWidth-2 && y > 1 && y < PatchHeight-2
	}
	for i, v := range p {
		if inside(i) {
			sum += v
			square += v * v
			n++
		}
	}
	mean := sum / n
	length := float32(math.Sqrt(float64(max(1e-6, square-n*mean*mean))))
	for i := range p {
		if inside(i) {
			p[i] = (p[i] - mean) / length
		} else {
			p[i] = 0
		}
	}
}

// like is the correlation of a patch with each exemplar; 0 where there is none.
func (e *exemplars) like(patch Patch) (out [10]float32) {
	patch.center()
	for d, p := range e {
		if p != nil {
			out[d] = dot(p[:], patch[:])
		}
	}
	return out
}

// weigh takes off the scores of digits whose exemplars something is unlike. None is added to: the stem of a 4 is like a 1.
func (e *exemplars) weigh(s *Scores, like [10]float32) {
	sum := 0.0
	for c := range s {
		if c < Colon && e[c] != nil {
			s[c] -= min(3, max(0, against*(otherLike-like[c])))
		}
		sum += math.Exp(float64(s[c]))
	}
	for c := range s {
		s[c] = max(least, s[c]-float32(math.Log(sum)))
	}
}

// like compares what stands at a position in an epoch with the exemplars.
func (sc *scan) like(e *epoch, i int) *[10]float32 {
	if e.like[i] == nil {
		e.like[i] = &[10]float32{}
		if patch, ok := Cut(e.plane, sc.at(i), sc.ink); ok {
			*e.like[i] = sc.own.like(patch)
		}
	}
	return e.like[i]
}

// weigh adds to what was read at a position how like the exemplars that is, a little to the left or right: the classifier forgives that, a
// comparison pixel by pixel does not.
func (sc *scan) weigh(e *epoch, i int) *Scores {
	if e.weighed[i] == nil {
		s := *sc.read(e, i)
		var like [10]float32
		for k := max(0, i-nearby); k <= min(scanPositions-1, i+nearby); k++ {
			for d, v := range sc.like(e, k) {
				like[d] = max(like[d], v)
			}
		}
		sc.own.weigh(&s, like)
		e.weighed[i] = &s
	}
	return e.weighed[i]
}

// confirm is what the exemplars say for the digit that stands about a position, or against it.
func (sc *scan) confirm(at int, digit func(*epoch) int) float64 {
	return sc.mean(func(e *epoch) float32 {
		d, most := digit(e), float32(0)
		if sc.own[d] == nil {
			return 0
		}
		for k := max(0, at-nearby); k <= min(scanPositions-1, at+nearby); k++ {
			most = max(most, sc.like(e, k)[d])
		}
		return min(2, max(-3, confirms*(most-sameLike)))
	})
}
