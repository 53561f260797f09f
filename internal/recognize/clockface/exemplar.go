package clockface

import "math"

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
