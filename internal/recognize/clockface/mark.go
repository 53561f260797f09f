package clockface

import (
	"cmp"
	"math"
	"slices"
)

// mark is a spot of ink around a clock: a glyph, several that touch, or anything else that stands out from what is around it.
type mark struct {
	x0, x1, y0, y1 int
	light          bool
	level          float32 // the shade it was found at
	off            float32 // how far the level it was found at lies from the middle between ink and ground, in parts of their difference
}

func (m mark) w() float64 { return float64(m.x1 - m.x0) }
func (m mark) h() float64 { return float64(m.y1 - m.y0) }

func (m mark) ink() float32 {
	if m.light {
		return 1
	}
	return -1
}

// within reports whether a mark lies inside of the box of another.
func (m mark) within(o mark) bool {
	return m.x0 >= o.x0 && m.x1 <= o.x1 && m.y0 >= o.y0 && m.y1 <= o.y1
}

// overlaps reports whether two marks share most of the smaller one's box.
func (m mark) overlaps(o mark) bool {
	w, h := min(m.x1, o.x1)-max(m.x0, o.x0), min(m.y1, o.y1)-max(m.y0, o.y0)
	return w > 0 && h > 0 && 2*float64(w*h) > min(m.w()*m.h(), o.w()*o.h())
}

// levels are the shades at which light and dark are told apart.
const (
	levelFirst = 22
	levelStep  = 24
	levelLast  = 238
	offMiddle  = 0.32
)

// smallest is how high a glyph is at least, in digits of the clock; what is lower is a dash, or a piece of something.
const smallest = 0.6

// marks finds what stands out in the surroundings of a clock: all that hangs together above a shade, and all below it. What is found at
// several shades counts at the one that lies best between ink and ground. What moves comes apart.
func (s *surroundings) marks() (stand, move []mark) {
	var out []mark
	var found spots
	for level := float32(levelFirst); level <= levelLast; level += levelStep {
		found.find(s.mean, level)
		for _, k := range found.all {
			m := k.mark
			if k.part != 0 || !s.fits(m, k.area) {
				continue
			}
			below := s.around(m, level)
			m.off = abs(below/(k.most+below) - 0.5)
			if m.off <= offMiddle && k.most+below > float32(max(24, 0.25*s.full)) {
				if s.stays(m) {
					out = append(out, m)
				} else {
					move = append(move, m)
				}
			}
		}
	}
	small := func(m mark) int { // pieces of thin strokes come after the glyph that another level shows whole
		if m.h() < smallest*s.unit.H {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(out, func(a, b mark) int { return cmp.Or(small(a)-small(b), cmp.Compare(a.off, b.off)) })
	var kept []mark
	for _, m := range out {
		if !slices.ContainsFunc(kept, func(k mark) bool { return k.light == m.light && k.overlaps(m) }) {
			kept = append(kept, m)
		}
	}
	for _, m := range out { // a 0 whose thin top and bottom other shades lose is found as its sides
		side := func(k mark) bool {
			return k.light == m.light && k.within(m) && k.w() < 0.75*m.w() && k.h() > 0.7*m.h()
		}
		if m.w() < 0.8*m.h() && slices.ContainsFunc(kept, side) && s.closed(m) {
			kept = append(slices.DeleteFunc(kept, func(k mark) bool { return k.light == m.light && k.within(m) }), m)
		}
	}
	return kept, move
}

// spots are what hangs together at a level, the corners of pixels included, found row by row in stretches of one side of it.
type spots struct {
	all       []spot
	row, last []stripe
}

type spot struct {
	mark
	area int
	most float32 // how far it goes beyond the level
	part int     // of an earlier spot, this one's place less that one's; 0: a whole
}

// stripe is a stretch of a row and the spot it is of.
type stripe struct {
	x0, x1, of int
	light      bool
}

func (f *spots) find(p Plane, level float32) {
	f.all, f.last = f.all[:0], f.last[:0]
	for y := range p.H {
		f.row = f.row[:0]
		line := p.Pix[y*p.W : (y+1)*p.W]
		for x := 0; x < len(line); {
			from, light, most := x, line[x] > level, float32(0)
			for ; x < len(line) && line[x] > level == light; x++ {
				most = max(most, abs(line[x]-level))
			}
			f.row = append(f.row, stripe{x0: from, x1: x, of: len(f.all), light: light})
			f.all = append(f.all, spot{mark{x0: from, x1: x, y0: y, y1: y + 1, light: light, level: level}, x - from, most, 0})
		}
		k := 0
		for i := range f.row {
			r := &f.row[i]
			for ; k < len(f.last) && f.last[k].x1 < r.x0; k++ {
			}
			for n := k; n < len(f.last) && f.last[n].x0 <= r.x1; n++ {
				if f.last[n].light == r.light {
					f.join(f.last[n].of, r.of)
				}
			}
			r.of = f.whole(r.of)
		}
		f.row, f.last = f.last, f.row
	}
}

// join makes one of the wholes of two spots: the earlier one.
func (f *spots) join(a, b int) {
	a, b = f.whole(a), f.whole(b)
	if a == b {
		return
	}
	one, o := &f.all[min(a, b)], &f.all[max(a, b)]
	one.x0, one.x1, one.y0, one.y1 = min(one.x0, o.x0), max(one.x1, o.x1), min(one.y0, o.y0), max(one.y1, o.y1)
	one.area, one.most, o.part = one.area+o.area, max(one.most, o.most), max(a, b)-min(a, b)
}

// whole is the spot that another one is a part of, or itself.
func (f *spots) whole(i int) int {
	for f.all[i].part != 0 {
		if up := i - f.all[i].part; f.all[up].part != 0 {
			f.all[i].part += f.all[up].part
		}
		i -= f.all[i].part
	}
	return i
}

// closed: a mark has ink above and below in each of its columns.
func (s *surroundings) closed(m mark) bool {
	part := (m.y1 - m.y0) * 2 / 5
	for x := m.x0; x < m.x1; x++ {
		top, bottom := false, false
		for y := range part {
			top = top || m.ink()*(s.mean.Pix[(m.y0+y)*s.mean.W+x]-m.level) > 0
			bottom = bottom || m.ink()*(s.mean.Pix[(m.y1-1-y)*s.mean.W+x]-m.level) > 0
		}
		if !top || !bottom {
			return false
		}
	}
	return true
}

// fits reports whether a mark may be a glyph, some that touch, or a dash, by its size: not the ground of a box.
func (s *surroundings) fits(m mark, area int) bool {
	const most = 3 // heights of the clock's digits
	switch {
	case m.x0 == 0 || m.y0 == 0 || m.x1 == s.mean.W || m.y1 == s.mean.H, m.h() > most*s.unit.H, area < 3:
		return false
	case m.h() < smallest*s.unit.H:
		return m.w() < 1.2*s.unit.H
	}
	full := 0.72 // of its box
	switch {
	case m.w() < 0.5*m.h():
		full = 1
	case m.w() < 1.2*m.h(): // an M
		full = 0.84
	}
	return m.w() < 16*m.h() && float64(area) <= full*m.w()*m.h()
}

// around is how far what surrounds a mark lies on the other side of a level.
func (s *surroundings) around(m mark, level float32) float32 {
	p, sum, n := s.mean, float32(0), float32(0)
	for y := max(0, m.y0-2); y < min(p.H, m.y1+2); y++ {
		for x := max(0, m.x0-2); x < min(p.W, m.x1+2); x++ {
			if y >= m.y0 && y < m.y1 && x >= m.x0 && x < m.x1 {
				continue
			}
			if d := m.ink() * (level - p.Pix[y*p.W+x]); d > 0 {
				sum += d
				n++
			}
		}
	}
	return sum / max(1, n)
}

// stays: the ink of a mark does not come or go, whatever moves behind it.
func (s *surroundings) stays(m mark) bool {
	moved, n := float32(0), float32(0)
	for y := m.y0; y < m.y1; y++ {
		for x := m.x0; x < m.x1; x++ {
			if i := y*s.mean.W + x; m.ink()*(s.mean.Pix[i]-m.level) > 0 {
				moved += s.moved.Pix[i]
				n++
			}
		}
	}
	return moved < float32(max(6, 0.3*s.full))*n
}

// line is a row of marks of one height and shade, from left to right.
type line struct {
	marks       []mark
	top, height float64
}

func (s *surroundings) lines(marks []mark) []line {
	tall := slices.DeleteFunc(slices.Clone(marks), func(m mark) bool { return m.h() < smallest*s.unit.H })
	slices.SortStableFunc(tall, func(a, b mark) int { return cmp.Compare(a.x0, b.x0) })
	var out []line
	for _, m := range tall {
		at := slices.IndexFunc(out, func(l line) bool {
			last := l.marks[len(l.marks)-1]
			slip := max(1.1, 0.16*last.h())
			return last.light == m.light && math.Abs(float64(last.y0-m.y0)) <= slip && math.Abs(float64(last.y1-m.y1)) <= slip &&
				float64(m.x0-last.x1) < 0.9*last.h() && m.x0 >= last.x1-1
		})
		if at < 0 {
			out = append(out, line{marks: []mark{m}})
		} else {
			out[at].marks = append(out[at].marks, m)
		}
	}
	for i := range out {
		l := &out[i]
		var tops, bottoms []int
		for _, m := range l.marks {
			tops, bottoms = append(tops, m.y0), append(bottoms, m.y1)
		}
		slices.Sort(tops)
		slices.Sort(bottoms)
		l.top = float64(tops[len(tops)/2])
		l.height = float64(bottoms[len(bottoms)/2]) - l.top
	}
	slices.SortStableFunc(out, func(a, b line) int { return cmp.Compare(b.height, a.height) }) // letters before what they enclose
	return out
}
