package clockface

import (
	"math"
	"slices"
)

// strip is the surroundings of a place, one averaged picture for each second between two ticks.
type strip struct {
	seconds []Plane
	first   float64 // look at which the first second begins
	period  float64 // looks from tick to tick
}

// at is the middle of a second, in looks.
func (s *strip) at(second int) float64 { return s.first + (float64(second)+0.5)*s.period }

// box is a part of the picture in whole pixels.
type box struct{ x0, y0, x1, y1 int }

func (b box) within(w, h int) box {
	return box{max(b.x0, 0), max(b.y0, 0), min(b.x1, w), min(b.y1, h)}
}

// ticksOf lists the looks after which a place changes; the first may lie before the window.
func ticksOf(p place, period float64, looks int) (first float64, seconds int) {
	first = p.tick
	for first > period*0.6 {
		first -= period
	}
	return first, int((float64(looks)-first)/period + 0.2)
}

// average takes the looks of each whole second together, without those next to a tick: a codec needs some pictures to follow. Of each so many
// seconds it fills the first one's picture alone.
func (r *Reader) average(b box, p place, period float64, every int) strip {
	first, seconds := ticksOf(p, period, len(r.looks))
	s := strip{first: first, period: period}
	for k := range seconds {
		from, to := first+float64(k)*period, first+float64(k+1)*period
		pl := Plane{}
		if k%every == 0 {
			pl = NewPlane(b.x1-b.x0, b.y1-b.y0)
		}
		n := 0
		for t := max(0, int(math.Ceil(from+0.12*period))); float64(t) < to-0.08*period && t < len(r.looks); t += 2 {
			r.addTo(pl, t, b)
			n++
		}
		if n > 1 {
			for i := range pl.Pix {
				pl.Pix[i] /= float32(n)
			}
		}
		if n == 0 {
			break
		}
		s.seconds = append(s.seconds, pl)
	}
	return s
}

// addTo adds a part of a look to a plane.
func (r *Reader) addTo(p Plane, look int, b box) {
	for y := range p.H {
		row := r.looks[look][(b.y0+y)*r.w+b.x0:][:p.W]
		out := p.Pix[y*p.W:][:len(row)]
		for x, v := range row {
			out[x] += float32(max(v, r.floor))
		}
	}
}

// changes maps what changes from second to second and stands still within one.
func (r *Reader) changes(b box, p place, period float64) Plane {
	out := NewPlane(b.x1-b.x0, b.y1-b.y0)
	first, seconds := ticksOf(p, period, len(r.looks))
	var before, within []float32
	var old Plane
	n := 0
	add := func(k int) (a, c Plane, ok bool) {
		from := first + float64(k)*period
		at := [4]int{int(from + 0.2*period + 0.99), int(from + 0.4*period + 0.5), int(from + 0.65*period + 0.5), int(from + 0.9*period)}
		a, c = NewPlane(out.W, out.H), NewPlane(out.W, out.H)
		if at[0] < p.from || at[3] >= min(len(r.looks), p.to+1) {
			return a, c, false
		}
		r.addTo(a, at[0], b)
		r.addTo(a, at[1], b)
		r.addTo(c, at[2], b)
		r.addTo(c, at[3], b)
		return a, c, true
	}
	before, within = make([]float32, len(out.Pix)), make([]float32, len(out.Pix))
	for k := range seconds {
		a, c, ok := add(k)
		if !ok {
			old = Plane{}
			continue
		}
		for i := range out.Pix {
			within[i] += abs(a.Pix[i]-c.Pix[i]) / 2
			if old.Pix != nil {
				before[i] += abs(a.Pix[i]-old.Pix[i]) / 2
			}
		}
		if old.Pix != nil {
			n++
		}
		old = c
	}
	for i := range out.Pix {
		out.Pix[i] = max(0, before[i]-1.5*within[i]) / float32(max(1, n))
	}
	return out
}

func abs(v float32) float32 { return max(v, -v) }

// around is the part of the picture that is looked at to read boxes.
func around(boxes []Cell) box {
	out := box{math.MaxInt, math.MaxInt, 0, 0}
	for _, c := range boxes {
		x, y := 2*marginX*c.W+mostTaps/2, 2*marginY*c.H+mostTaps/2
		out.x0, out.y0 = min(out.x0, int(c.X-x)), min(out.y0, int(c.Y-y))
		out.x1, out.y1 = max(out.x1, int(c.X+c.W+x)+1), max(out.y1, int(c.Y+c.H+y)+1)
	}
	return out
}

// cells finds the box of the beating glyph around a place in a map of changes, at several levels.
func cells(m Plane, x, y int) []Cell {
	var near []float32
	px, py, peak := x, y, float32(0)
	for j := max(0, y-7); j < min(m.H, y+8); j++ {
		for i := max(0, x-6); i < min(m.W, x+7); i++ {
			v := m.Pix[j*m.W+i]
			near = append(near, v)
			if v > peak {
				px, py, peak = i, j, v
			}
		}
	}
	if len(near) == 0 || peak < 4 {
		return nil
	}
	slices.Sort(near)
	high := near[len(near)*9/10]
	var out []Cell
	add := func(c Cell) {
		if c.H >= 4 && c.W >= 2.5 && c.H <= 60 && c.W <= 1.25*c.H && c.W >= 0.22*c.H && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	for _, part := range []float32{0.2, 0.33, 0.5} {
		b := flood(m, px, py, part*high)
		c := Cell{X: float64(b.x0), Y: float64(b.y0), W: float64(b.x1 - b.x0), H: float64(b.y1 - b.y0)}
		add(c)
		for _, narrow := range []float64{0.65, 0.5} { // with a carry, or beside a narrow 1, the digits left of it change too
			if wide := narrow * c.H; c.W > 1.3*wide {
				add(Cell{X: c.X + c.W - wide, Y: c.Y, W: wide, H: c.H})
			}
		}
	}
	return out
}

// flood is the box around all pixels over a level that hang together; a gap of one pixel does not part them.
func flood(m Plane, x, y int, level float32) box {
	b := box{x, y, x + 1, y + 1}
	seen := make([]bool, len(m.Pix))
	todo := []int{y*m.W + x}
	seen[todo[0]] = true
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		px, py := i%m.W, i/m.W
		b = box{min(b.x0, px), min(b.y0, py), max(b.x1, px+1), max(b.y1, py+1)}
		for j := max(0, py-2); j <= min(m.H-1, py+2); j++ {
			for k := max(0, px-1); k <= min(m.W-1, px+1); k++ {
				if n := j*m.W + k; !seen[n] && m.Pix[n] > level {
					seen[n] = true
					todo = append(todo, n)
				}
			}
		}
	}
	return b
}
