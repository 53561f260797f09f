package clockface

import "math"

// A timer of stoppage time starts at zero beside a clock that stands at the end of its period: as a clock it would be wrong by a half.
// So what reads less than this many seconds, or begins as a plus may, is believed only if no such clock stands near by.
const timerAtMost = 20 * 60

// likePlus is the digit that a small plus is taken for: +2:13 becomes 42:13.
const likePlus = 4

// How far around the timer the other clock may stand, in cells of the timer.
const (
	besideLeft  = 45
	besideRight = 14
	aboveLeft   = 12
	aboveRight  = 45
)

// ends reports whether a period ends at so many minutes.
func ends(tens, unit int) bool {
	return tens == 4 && unit == 5 || tens == 9 && unit == 0 || tens == 0 && unit == 5 || tens == 2 && unit == 0 // of 105 and 120
}

// still is a part of the picture over time: its mean, and how much it moved.
type still struct{ mean, moved Plane }

// halves averages a part of the picture between two looks, those of the first half against those of the second.
func (r *Reader) halves(b box, from, to int) still {
	w := still{NewPlane(b.x1-b.x0, b.y1-b.y0), NewPlane(b.x1-b.x0, b.y1-b.y0)}
	n := 0
	from, to = max(0, from), min(to, len(r.looks))
	for t, half := from, (to-from)/2; t+half < to && t < from+half; t += Rate / 2 {
		r.addTo(w.mean, t, b)
		r.addTo(w.moved, t+half, b)
		n++
	}
	for i, early := range w.mean.Pix {
		late := w.moved.Pix[i]
		w.mean.Pix[i], w.moved.Pix[i] = (early+late)/float32(2*n), abs(early-late)/float32(n)
	}
	return w
}

func brightness(p Plane, c Cell) float32 {
	var sum, n float32
	for y := max(0, int(c.Y+0.5)); y < min(p.H, int(c.Y+c.H+0.5)); y++ {
		for x := max(0, int(c.X+0.5)); x < min(p.W, int(c.X+c.W+0.5)); x++ {
			sum += p.Pix[y*p.W+x]
			n++
		}
	}
	return sum / max(1, n)
}

// standsNear looks for a clock that stands at the end of a period, beside or above a cell of the picture.
func (r *Reader) standsNear(cell Cell, from, to int) bool {
	b := box{int(cell.X - (besideLeft+2)*cell.W), int(cell.Y - 4.6*cell.H), int(cell.X + (aboveRight+2)*cell.W), int(cell.Y + 2*cell.H)}.within(r.w, r.h)
	w := r.halves(b, from, to)
	cell.X -= float64(b.x0)
	cell.Y -= float64(b.y0)
	full := contrast(w.mean, cell)
	for _, scale := range []float64{1, 1.25, 1.55, 0.85} {
		c := Cell{W: cell.W * scale, H: cell.H * scale}
		middle := cell.Y + cell.H/2
		c.Y = middle - c.H/2
		if r.standsIn(w, c, cell.X-besideLeft*cell.W, cell.X+besideRight*cell.W, full) {
			return true
		}
		for up := 1.3; up < 3.6; up += 0.17 * scale {
			c := c
			c.Y -= up * cell.H
			if c.Y > 0 && r.standsIn(w, c, cell.X-aboveLeft*cell.W, cell.X+aboveRight*cell.W, full) {
				return true
			}
		}
	}
	return false
}

func (r *Reader) standsIn(w still, c Cell, from, to, full float64) bool {
	p := w.mean
	from, to = math.Max(0, from), math.Min(to, float64(p.W)-c.W)
	n := int((to - from) / (lineStep * c.W))
	if n < 8 {
		return false
	}
	light, dark := make([]Scores, n), make([]Scores, n)
	for i := range n {
		light[i], dark[i] = blank(), blank()
		c := c
		c.X = from + float64(i)*lineStep*c.W
		if brightness(w.moved, c) < 12 && contrast(p, c) > 0.4*full {
			if patch, ok := Cut(p, c, 1); ok {
				light[i], dark[i] = r.glyphs.ReadBoth(&patch)
			}
		}
	}
	return endsPeriod(light) || endsPeriod(dark)
}

// lineStep is how far apart the places of a line are read, in cells.
const lineStep = 0.18

// endsPeriod finds 45:00 and its like in a line.
func endsPeriod(line []Scores) bool {
	const sure = -0.7
	back := func(cells float64) int { return int(math.Round(cells / lineStep)) }
	for i := len(line) - 1; i >= back(3.6); i-- {
		if line[i][0] < sure {
			continue
		}
		for pitch := back(0.95); pitch <= back(1.7); pitch++ {
			if i-pitch < 0 || line[i-pitch][0] < sure {
				continue
			}
			for m := i - 2*pitch - back(0.1); m >= max(pitch, i-2*pitch-back(1.9)); m-- {
				for _, unit := range []int{5, 0} {
					if line[m][unit] < sure || line[(i-pitch+m)/2][Colon] < -1.2 {
						continue
					}
					for k := max(0, m-pitch-1); k <= m-pitch+1; k++ {
						if s := line[k]; s.Best() < Colon && s[s.Best()] > sure && ends(s.Best(), unit) {
							return true
						}
					}
				}
			}
		}
	}
	return false
}

// Graphics may move by so much, as far as can be measured, and still be said to stand: compression alone moves them by up to half a
// pixel. What a hand holds before a screen moves by more in four seconds; beats alone show only what moves within one.
const (
	mostDrift = 0.05 // of the cell's height
	leastMove = 0.3  // pixels that are never counted as moving
)

// drift is how far the minutes of a clock move over the seconds in which it was read, in pixels.
func drift(s *strip, q sequence, l layout) float64 {
	at := func(k int) int { return l.tens*10 + q.start + k }
	left, right, stays := l.m10, l.m1, 60 // seconds that show the same there
	if l.minutes < 0 {
		left = l.m1
	} else if n := at(len(s.seconds)-1) / 60; n > 0 && l.minute+n < 10 {
		right, stays = l.m10, 600
	}
	// Nothing but the digits: footage may begin close by.
	b := box{int(q.cell.X - left*q.cell.W + 0.5), int(q.cell.Y + 0.5), int(q.cell.X - (right-1)*q.cell.W + 0.5), int(q.cell.Y + q.cell.H + 0.5)}
	type figures struct {
		minutes     int
		tens, units bool // a narrow 1 moves what stands beside it
	}
	alike := map[figures][]Plane{}
	for k, p := range s.seconds {
		if q.seen[k] {
			f := figures{at(k) / stays, at(k)/10%6 == 1, at(k)%10 == 1}
			alike[f] = append(alike[f], p)
		}
	}
	most := 0.0
	for _, same := range alike {
		most = max(most, spread(same, b))
	}
	return most
}

// spread is how far apart pictures of the same thing lie. Figures of several widths move what stands beside them along their line, but
// no hand moves in one direction alone.
func spread(same []Plane, b box) float64 {
	mean := NewPlane(same[0].W, same[0].H)
	for _, p := range same {
		for i, v := range p.Pix {
			mean.Pix[i] += v / float32(len(same))
		}
	}
	b = box{max(b.x0, 1), max(b.y0, 1), min(b.x1, mean.W-1), min(b.y1, mean.H-1)}
	x0, x1, y0, y1 := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, p := range same {
		dx, dy := shift(mean, p, b)
		x0, x1, y0, y1 = min(x0, dx), max(x1, dx), min(y0, dy), max(y1, dy)
	}
	return max(y1-y0, min(x1-x0, 2*(y1-y0)))
}

// shift is how far a picture is moved against another within a box, by the method of Lucas and Kanade; what became lighter as a whole,
// as behind a half-transparent graphic, is set aside.
func shift(from, to Plane, b box) (dx, dy float64) {
	var m [3][4]float64 // normal equations of gx*dx + gy*dy + c = difference
	for y := b.y0; y < b.y1; y++ {
		for x := b.x0; x < b.x1; x++ {
			i := y*from.W + x
			gx, gy := float64(from.Pix[i+1]-from.Pix[i-1])/2, float64(from.Pix[i+from.W]-from.Pix[i-from.W])/2
			row := [4]float64{gx, gy, 1, float64(from.Pix[i] - to.Pix[i])}
			for j := range m {
				for k := range m[j] {
					m[j][k] += row[j] * row[k]
				}
			}
		}
	}
	for j := range m { // Gauss; the matrix is symmetric and its diagonal positive
		if m[j][j] < 1e-3 {
			return 0, 0
		}
		for r := range m {
			if r == j {
				continue
			}
			f := m[r][j] / m[j][j]
			for k := j; k < 4; k++ {
				m[r][k] -= f * m[j][k]
			}
		}
	}
	return m[0][3] / m[0][0], m[1][3] / m[1][1]
}
