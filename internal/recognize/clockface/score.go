package clockface

import "math"

// Score is what stands beside a clock: two digits, the left one first.
type Score struct{ Left, Right int }

// How far from the clock's last digit a score may stand, in cells of it.
const (
	scoreLeft  = 26
	scoreRight = 24
	scoreAbove = 3.4
	scoreBelow = 3
)

// What is sure enough of a score. It is chosen on the fonts that limits are chosen on.
const (
	scoreSure   = -0.5 // least mean score of a digit
	scoreMargin = 2.5  // over the second-best one
)

// commonScore is the score that all windows of a clip show in which one was read.
func commonScore(found []sight) *Score {
	var out *Score
	for _, f := range found {
		if f.score != nil && out != nil && *f.score != *out {
			return nil
		}
		if f.score != nil {
			out = f.score
		}
	}
	return out
}

// scoreBeside reads the score in the line of a clock, or in the one above or below it, in the looks between which the clock was read; nil
// where there is none, or it is not sure.
func (r *Reader) scoreBeside(unit Cell, l layout, from, to int) *Score {
	left := l.m10 // how far the clock reaches
	if l.minutes < 0 {
		left = l.m1
	}
	b := box{int(unit.X - scoreLeft*unit.W), int(unit.Y - (scoreAbove+0.5)*unit.H), int(unit.X + scoreRight*unit.W), int(unit.Y + (scoreBelow+1.5)*unit.H)}.within(r.w, r.h)
	s := scoreScan{glyphs: r.glyphs, unit: unit, plane: NewPlane(b.x1-b.x0, b.y1-b.y0), moved: NewPlane(b.x1-b.x0, b.y1-b.y0)}
	n := 0
	from, to = max(0, from), min(to, len(r.looks))
	for t, half := from, (to-from)/2; t+half < to && t < from+half; t += Rate / 2 { // looks of the first half against those of the second
		addTo(s.plane, r.looks[t], r.w, b)
		addTo(s.moved, r.looks[t+half], r.w, b)
		n++
	}
	for i, early := range s.plane.Pix {
		late := s.moved.Pix[i]
		s.plane.Pix[i], s.moved.Pix[i] = (early+late)/float32(2*n), abs(early-late)/float32(n)
	}
	s.unit.X -= float64(b.x0)
	s.unit.Y -= float64(b.y0)
	s.full = contrast(s.plane, s.unit)
	s.clock = [2]float64{s.unit.X - (left+0.3)*unit.W, s.unit.X + 1.3*unit.W}
	if found, ok := s.read(); ok {
		return &found
	}
	return nil
}

// scoreScan is the surroundings of a clock, averaged over the window.
type scoreScan struct {
	glyphs *Glyphs
	plane  Plane
	moved  Plane      // between the halves of the window
	unit   Cell       // the clock's last digit
	clock  [2]float64 // columns that the clock takes
	full   float64    // its contrast
}

// run is a stretch of columns with ink, one glyph or several that touch.
type run struct {
	x0, x1, y0, y1 int // of its ink
	light          bool
	full           float64 // its contrast
}

func (s *scoreScan) read() (Score, bool) {
	var found Score
	ok := false
	rows := []float64{0}
	for up := 1.4; up <= scoreAbove; up += 0.15 {
		rows = append(rows, -up)
	}
	for down := 1.4; down <= scoreBelow; down += 0.15 {
		rows = append(rows, down)
	}
	for _, row := range rows {
		for _, ext := range []float64{0.3, 0.12} {
			runs := s.runs(s.unit.Y+row*s.unit.H, row == 0, ext)
			for i := range runs {
				pair, sure := s.pairAt(runs, i)
				if !sure {
					continue
				}
				if ok && pair != found {
					return Score{}, false
				}
				found, ok = pair, true
			}
		}
		if ok && row == 0 {
			break
		}
	}
	return found, ok
}

// runs cuts the line whose digits begin at a row into stretches of ink. Ink is what differs from the bar, and the bar is the shade that
// half of the surroundings have, or more.
func (s *scoreScan) runs(y float64, ownLine bool, beyond float64) []run {
	h := s.unit.H
	top, bottom := int(math.Round(y-beyond*h)), int(math.Round(y+(1+beyond)*h))
	if top < 0 || bottom >= s.plane.H {
		return nil
	}
	ground := s.ground(int(y+0.5), int(y+h+0.5))
	limit := float32(max(12, 0.3*s.full))
	var out []run
	var cur *run
	for x := range s.plane.W {
		most, light := float32(0), false
		for j := top; j <= bottom; j++ {
			d := s.plane.Pix[j*s.plane.W+x] - ground[x]
			if abs(d) > most {
				most, light = abs(d), d > 0
			}
		}
		if ownLine && float64(x) > s.clock[0] && float64(x) < s.clock[1] { // nothing reaches across the clock
			if cur != nil {
				out = append(out, *cur)
				cur = nil
			}
			out = append(out, run{x0: x, x1: x + 1})
			continue
		}
		if most <= limit {
			if cur != nil {
				out = append(out, *cur)
				cur = nil
			}
			continue
		}
		y0, y1 := bottom, top
		for j := top; j <= bottom; j++ {
			if d := s.plane.Pix[j*s.plane.W+x] - ground[x]; abs(d) > limit && d > 0 == light {
				y0, y1 = min(y0, j), max(y1, j+1)
			}
		}
		if cur == nil {
			cur = &run{x0: x, y0: y0, y1: y1, light: light}
		}
		cur.x1, cur.y0, cur.y1, cur.full = x+1, min(cur.y0, y0), max(cur.y1, y1), max(cur.full, float64(most))
	}
	if cur != nil {
		out = append(out, *cur)
	}
	return out
}

// ground is the shade of the bar at each column: the median of some cells to both sides.
func (s *scoreScan) ground(y0, y1 int) []float32 {
	reach := int(2*s.unit.W + 0.5)
	var counts [256]int
	n := 0
	add := func(x, by int) {
		if x < 0 || x >= s.plane.W {
			return
		}
		for y := y0; y < y1; y++ {
			counts[min(255, max(0, int(s.plane.Pix[y*s.plane.W+x]+0.5)))] += by
			n += by
		}
	}
	for x := range reach {
		add(x, 1)
	}
	out := make([]float32, s.plane.W)
	for x := range out {
		add(x+reach, 1)
		add(x-reach-1, -1)
		k := 0
		for sum := counts[0]; 2*sum < n; sum += counts[k] {
			k++
		}
		out[x] = float32(k)
	}
	return out
}

// digit: a run may be one digit, by its size.
func (s *scoreScan) digit(r run) bool {
	w, h := float64(r.x1-r.x0), float64(r.y1-r.y0)
	return h > 0.7*s.unit.H && h < 1.5*s.unit.H && w > 0.1*h && w < 1.1*h && s.still(r)
}

// dash: a run may be what stands between the digits of a score.
func (s *scoreScan) dash(r run, a run) bool {
	h := float64(a.y1 - a.y0)
	middle := float64(r.y0+r.y1)/2 - float64(a.y0)
	return float64(r.y1-r.y0) < 0.4*h && middle > 0.3*h && middle < 0.8*h && r.light == a.light
}

func (s *scoreScan) still(r run) bool {
	return brightness(s.moved, Cell{float64(r.x0), float64(r.y0), float64(r.x1 - r.x0), float64(r.y1 - r.y0)}) < float32(max(6, 0.3*s.full))
}

// pairAt reads a score whose left digit is a run: another digit after a dash, or after a wide space.
func (s *scoreScan) pairAt(runs []run, i int) (Score, bool) {
	a := runs[i]
	if !s.digit(a) {
		return Score{}, false
	}
	k := i + 1
	if k < len(runs) && s.dash(runs[k], a) {
		k++
	}
	if k >= len(runs) || !s.digit(runs[k]) {
		return Score{}, false
	}
	b := runs[k]
	h := float64(a.y1 - a.y0)
	w := s.unit.W * h / s.unit.H
	space := float64(b.x0 - a.x1)
	least := 1.1 * w
	if k > i+1 {
		least = 0.3 * w
	}
	if space < least || space > 5*w || a.light != b.light || math.Abs(float64(b.y0-a.y0)) > 0.15*h || math.Abs(float64(b.y1-a.y1)) > 0.15*h ||
		a.full < 0.7*b.full || b.full < 0.7*a.full {
		return Score{}, false
	}
	const apart = 0.22 // a glyph nearer than this makes a number or a word of it
	if i > 0 && float64(a.x0-runs[i-1].x1) < apart*w || k+1 < len(runs) && float64(runs[k+1].x0-b.x1) < apart*w {
		return Score{}, false
	}
	left, sure := s.classify(a, w)
	if !sure {
		return Score{}, false
	}
	right, sure := s.classify(b, w)
	return Score{left, right}, sure
}

// classify reads one digit: which one, and whether it is sure.
func (s *scoreScan) classify(r run, w float64) (int, bool) {
	ink := float32(-1)
	if r.light {
		ink = 1
	}
	if own := float64(r.x1 - r.x0); own > 0.7*w { // all but a 1 are about as wide as the cell
		w = own
	}
	c := Cell{X: float64(r.x0+r.x1)/2 - w/2, Y: float64(r.y0), W: w, H: float64(r.y1 - r.y0)}
	var sum Scores
	n := float32(0)
	for _, m := range [][4]float64{{0, 0, 1, 1}, {0, 0, 0.86, 1}, {0, 0, 1.16, 1}, {0, 0, 1, 1.1}, {-0.1, 0, 1, 1}, {0.1, 0, 1, 1}} {
		patch, ok := Cut(s.plane, c.moved(m[0], m[1], m[2], m[3]), ink)
		if !ok {
			return 0, false
		}
		for k, v := range s.glyphs.Read(&patch) {
			sum[k] += max(v, least)
		}
		n++
	}
	best := sum.Best()
	second := float32(least)
	for k, v := range sum {
		sum[k] = v / n
		if k != best {
			second = max(second, sum[k])
		}
	}
	return best, best < Colon && sum[best] > scoreSure && sum[best]-second > scoreMargin
}
