package footage

import "math"

const (
	match   = 0.7  // correlation from which on a window of one shows what stands in the other
	digit   = 5    // windows side by side that are missing: a digit is another
	lacking = 0.05 // share of the windows that may be missing here and there
)

// Same reports whether two videos of one footage lie under the same overlay, as far as both pictures show the place: what stands in
// this one stands in the other, and the other way round. What this one has and the other lacks, also because it was cut
// off there, may be a clock of its own.
func (o Overlay) Same(of Overlay, mirrored bool) bool {
	switch {
	case !o.Known || !of.Known:
		return false
	case o.None() || of.None():
		return o.None() && of.None()
	}
	if mirrored {
		o = o.mirror()
	}
	mine, its := o.stills(alike, standing, smallest), of.stills(alike, standing, smallest)
	fit, ok := register(mine, its, of)
	if !ok {
		return false
	}
	return few(o.stills(perhaps, standing, smallest), of, fit, true) && few(its, o, fit.back(), false)
}

// few reports whether the other video lacks next to none of the windows. Where beyond is set, those beyond the edge of its picture
// are lacking, too.
func few(stills []still, in Overlay, at mapping, beyond bool) bool {
	const across = 2 * Side / stride
	var missing []*still
	n := 0
	for i := range stills {
		s := &stills[i]
		if !beyond && !at.inside(s, in) || in.shows(s, at) {
			continue
		}
		n++
		k := s.y/stride*across + s.x/stride
		for len(missing) <= k {
			missing = append(missing, nil)
		}
		missing[k] = s
	}
	return float64(n) <= digit+lacking*float64(len(stills)) && len(groups(missing, across, digit)) == 0
}

// shows reports whether a window can be seen in one of the frames, at its place or a pixel beside it: a digit of the clock that
// stands in one video may tick in the other.
func (o Overlay) shows(s *still, at mapping) bool {
	for _, d := range [9][2]float64{{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}} {
		for _, f := range o.Frames {
			if at.correlation(s, f, d[0], d[1]) >= match {
				return true
			}
		}
	}
	return false
}

func (o Overlay) mirror() Overlay {
	out := Overlay{Known: o.Known, W: o.W, H: o.H, Kept: make([]byte, len(o.Kept))}
	// Blocks are counted from the left: of a width that they do not fill, the last one is narrower.
	for y := range o.rows() {
		for x := range o.columns() {
			whole := true
			for _, px := range []int{x * block, min(x*block+block, o.W) - 1} {
				whole = whole && o.kept(y*o.columns()+(o.W-1-px)/block)
			}
			if i := y*o.columns() + x; whole {
				out.Kept[i>>3] |= 1 << (i & 7)
			}
		}
	}
	for _, f := range o.Frames {
		m := Picture{W: f.W, H: f.H, Pix: make([]byte, f.W*f.H)}
		for y := range f.H {
			for x := range f.W {
				m.Pix[y*f.W+x] = f.Pix[y*f.W+f.W-1-x]
			}
		}
		out.Frames = append(out.Frames, m)
	}
	return out
}

// mapping says where in another picture a place lies: its distance from (cx, cy), stretched, from (x, y) there.
type mapping struct {
	cx, cy float64
	x, y   float64
	sx, sy float64
}

func (m mapping) to(x, y float64) (float64, float64) {
	return m.x + (x-m.cx)*m.sx, m.y + (y-m.cy)*m.sy
}

func (m mapping) back() mapping {
	return mapping{cx: m.x, cy: m.y, x: m.cx, y: m.cy, sx: 1 / m.sx, sy: 1 / m.sy}
}

// inside reports whether a window lies well within the other picture.
func (m mapping) inside(s *still, in Overlay) bool {
	const edge = 3
	x0, y0 := m.to(float64(s.x), float64(s.y))
	x1, y1 := m.to(float64(s.x+window-1), float64(s.y+window-1))
	return x0 >= edge && y0 >= edge && x1 <= float64(in.W-1-edge) && y1 <= float64(in.H-1-edge)
}

// correlation is how like a window is to its place in another picture; 0 beyond its edge.
func (m mapping) correlation(s *still, f Picture, dx, dy float64) float32 {
	x0, y0 := m.to(float64(s.x), float64(s.y))
	x0, y0 = x0+dx, y0+dy
	if x0 < 0 || y0 < 0 || x0+(window-1)*m.sx >= float64(f.W-1) || y0+(window-1)*m.sy >= float64(f.H-1) {
		return 0
	}
	var raw [area]float32
	for j := range raw {
		raw[j] = f.at(x0+float64(j%window)*m.sx, y0+float64(j/window)*m.sy)
	}
	var p patch
	if !p.set(&raw) {
		return 0
	}
	return p.times(&s.shows)
}

// at is the brightness between pixels.
func (f Picture) at(x, y float64) float32 {
	fx, fy := math.Floor(x), math.Floor(y)
	i := int(fy)*f.W + int(fx)
	ax, ay := float32(x-fx), float32(y-fy)
	top := float32(f.Pix[i])*(1-ax) + float32(f.Pix[i+1])*ax
	low := float32(f.Pix[i+f.W])*(1-ax) + float32(f.Pix[i+f.W+1])*ax
	return top*(1-ay) + low*ay
}
