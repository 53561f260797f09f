package clockface

import "math"

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
