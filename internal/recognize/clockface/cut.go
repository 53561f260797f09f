package clockface

import "math"

// A picture that was cut through the minutes shows 77:24 as 7:24, and a narrow 1 makes 107:32 of 07:32. So what stands left of the minutes
// has to be seen: the clock's own ground, empty, until its box ends or a digit would have stood there. Measures are in widths of a digit.
const (
	someGround  = 0.35 // more than lies between two digits
	leastGround = 0.72 // of a pitch, from the middle of the first digit, which blurred edges leave where it is: a cut between two leaves less
	ownReach    = 0.6  // also from there: its own ink, where its cell is too narrow
	stemReach   = 0.72 // of a pitch: ink that begins within it may be a digit, if only a 1
	stemMiddle  = 1.15 // or within this, from the middle of the first digit: its cell may be narrower than its ink
	digitReach  = 1.2  // and where a digit may begin
	lostHundred = 35   // minutes: what reads less may have lost a hundred
)

// ground is what is asked of the ground left of a digit: up to where ink is the digit's own, how long it is at least, in widths, and from where
// on nothing may be a digit any more, in pitches.
type ground struct{ own, least, digit float64 }

// lone is what is asked left of a clock that was read: its pitch is known, and the width of its cell is not, where edges are blurred. Beside a
// narrow 1 the pitch is less than from other digits.
func (l layout) lone() ground {
	widest := l.pitch
	if l.minutes >= 0 {
		widest = max(widest, l.m10-l.m1)
	}
	return ground{ownReach*l.pitch - 0.5, leastGround*l.pitch - 0.5, max(stemReach*widest, stemMiddle*widest-0.5) / l.pitch}
}

// entire reports whether the whole clock is in the picture, of which the strip is a part. first is how many cells left of the unit its first
// digit lies; single asks for the ground left of it.
func (r *Reader) entire(sc *scan, l layout, first float64, single bool, part box, from, to int) bool {
	c := sc.cell
	x, right := c.X-first*c.W, c.X+c.W
	if x+float64(part.x0) < 0.1*c.W || right+float64(part.x0) > float64(r.w-1) {
		return false
	}
	end := x - 0.3*c.W
	if single {
		var ok bool
		if end, ok = sc.groundBefore(first, l.pitch, l.lone()); !ok {
			return false
		}
		before := box{part.x0 + int(x-digitReach*l.pitch*c.W), part.y0 + int(c.Y), part.x0 + int(x-0.3*c.W), part.y0 + int(c.Y+c.H)}
		if r.floor > 0 && !r.footage(before.within(r.w, r.h), from, to) {
			return false
		}
	}
	looks := seams{r: r, y: part.y0 + int(c.Y), h: int(c.H + 0.5), from: from, to: to}
	return !looks.between(part.x0+int(end), part.x0+int(x+0.5*c.W), 1) && !looks.between(part.x0+int(right-0.5*c.W), part.x0+int(right+0.3*c.W), -1)
}

// footage reports whether a part of the picture moves. Where only what is light is looked at, a bar in place of a digit is no other ground.
func (r *Reader) footage(b box, from, to int) bool {
	const least = 3 // more than compression moves a bar by, in steps of brightness
	back := r.wholeBrightness()
	defer back()
	w := r.halves(b, from, to)
	return brightness(w.moved, Cell{W: float64(w.moved.W), H: float64(w.moved.H)}) > least
}

// alone reports whether a digit at so many cells left of the unit is the only one of the minutes.
func (sc *scan) alone(off, pitch float64) bool {
	at := [2]int{index(off), index(pitch)}
	if _, known := sc.before[at]; !known {
		_, sc.before[at] = sc.groundBefore(off, pitch, ground{0, someGround, digitReach})
	}
	return sc.before[at]
}

// groundBefore follows the clock's own ground from a digit to the left, until it ends or another digit would have stood there. It is false where
// the picture ends before, or where the ground ends in what may be a digit or a cut.
func (sc *scan) groundBefore(off, pitch float64, g ground) (end float64, ok bool) {
	p, c := sc.longest().plane, sc.cell
	x := c.X - off*c.W
	shade, ink := sc.tones(p, x)
	// differing counts the lines of a column, between two heights of the digits, that are not the ground.
	differing := func(x int, from, to float64) (n, all int) {
		for y := max(0, int(c.Y+from*c.H+0.5)); y < min(p.H, int(c.Y+to*c.H+0.5)); y++ {
			if abs(p.Pix[y*p.W+x]-shade) > 0.3*abs(ink-shade) {
				n++
			}
			all++
		}
		return n, all
	}
	own := true
	for end = x - max(1, 0.1*c.W); end > x-digitReach*pitch*c.W; end-- {
		if end+sc.x0 < 1 || end < 0 {
			return end, false
		}
		if n, all := differing(int(end), 0, 1); 8*n <= all {
			own = false
			continue
		}
		if own && (x-end)/c.W < g.own {
			continue
		}
		if away := (x - end) / c.W; away < g.least || away > g.digit*pitch {
			return end, away > g.least
		}
		for k := int(end); k >= max(0, int(end)-2); k-- { // a glyph ends with the digits' lines, what a box ends at does not
			above, all := differing(k, -0.24, -0.1)
			below, more := differing(k, 1.1, 1.24)
			if above == all && below == more {
				return end, true
			}
		}
		return end, false
	}
	return end, true
}

// How far from its middle the ink of what was read reaches, in cells, and from which part of its lines on a column is a digit's.
const (
	digitReads = 0.62
	oneReads   = 0.3
	colonReads = 0.3
	strange    = 0.5
	noColon    = 0.8 // two dots are less
)

// skips reports whether a digit stands between the first and the last that is none of those that were read: 116:55 is no 16:55 with a wide gap, nor
// is 21:36 a 2:36.
func (sc *scan) skips(l layout) bool {
	e := sc.longest()
	shown := max(0, l.minutes)*10 + l.minute + (l.tens+e.carries)/6
	digits, first := map[float64]int{0: 0, l.pitch: l.tens, l.m1: shown % 10}, l.m1
	if l.minutes >= 0 {
		digits[l.m10], first = shown/10, l.m10
	}
	// least is the part of a column's lines that is too much where nothing, or the colon, was read.
	least := func(off float64) float64 {
		for at, digit := range digits {
			if d := math.Abs(off - at); d < oneReads || d < max(digitReads, l.pitch/2) && (digit != 1 || at <= l.pitch) {
				return 1
			}
		}
		if math.Abs(off-(l.pitch+l.m1)/2) < colonReads {
			return noColon
		}
		return strange
	}
	p, c := e.plane, sc.cell
	shade, ink := sc.tones(p, c.X-first*c.W)
	for x := max(0, int(c.X-first*c.W)); x < min(p.W, int(c.X+c.W)); x++ {
		n, all := 0, 0
		for y := max(0, int(c.Y+0.5)); y < min(p.H, int(c.Y+c.H+0.5)); y++ {
			if abs(p.Pix[y*p.W+x]-shade) > 0.4*abs(ink-shade) {
				n++
			}
			all++
		}
		if float64(n) > least((c.X+c.W/2-float64(x)-0.5)/c.W)*float64(all) {
			return true
		}
	}
	return false
}

// tones are the shades of the clock's ground and of its ink, from a column on.
func (sc *scan) tones(p Plane, x float64) (ground, ink float32) {
	var counts [256]int
	n := 0
	for y := max(0, int(sc.cell.Y)); y < min(p.H, int(sc.cell.Y+sc.cell.H)); y++ {
		for i := max(0, int(x)); i < min(p.W, int(sc.cell.X+sc.cell.W)); i++ {
			counts[min(255, max(0, int(p.Pix[y*p.W+i])))]++
			n++
		}
	}
	at := func(part float64) float32 {
		k := 0
		for sum := counts[0]; sum < int(part*float64(n)) && k < 255; sum += counts[k] {
			k++
		}
		return float32(k)
	}
	if sc.ink > 0 {
		return at(0.2), at(0.95)
	}
	return at(0.8), at(0.05)
}

// seams looks for upright lines through the whole picture, far above and below a clock: there a cut picture meets a bar, black, coloured or
// blurred. The boxes of a graphic end before.
type seams struct {
	r        *Reader
	y, h     int // of the clock's digits
	from, to int // looks
}

// How far above and below the clock's digits a seam is looked for, in heights of them: not where its own graphic may stand.
const (
	seamFrom = 5
	seamTo   = 18
)

// between looks in the columns from one to another; the picture would lie right of a seam, or left of it where side is -1. Where there are lines
// enough above and below, it is in both.
func (s seams) between(x0, x1, side int) bool {
	found := false
	for _, rows := range [2][2]int{{s.y - seamTo*s.h, s.y - (seamFrom-1)*s.h}, {s.y + seamFrom*s.h, s.y + (seamTo+1)*s.h}} {
		top, bottom := max(2, rows[0]), min(s.r.h, rows[1])
		if bottom-top < 4*s.h {
			continue
		}
		found = false
		for x := max(x0, seamReach); x <= min(x1, s.r.w-1-seamReach) && !found; x++ {
			found = s.at(x, side, top, bottom)
		}
		if !found {
			return false
		}
	}
	return found
}

const seamReach = 9 // columns to each side that are compared

// at compares both sides of a column: the outer one is far smoother, or smooth and most lines jump there by more than they do beside it.
func (s seams) at(x, side, top, bottom int) bool {
	jumps, all := 0, 0
	var inside, outside int
	for t := s.from; t < s.to; t += max(1, (s.to-s.from)/6) {
		look := s.r.looks[t]
		for y := top; y < bottom; y += 2 {
			at := func(k int) int { return int(look[y*s.r.w+x+k*side]) }
			step := func(a, b int) int { return max(a-b, b-a) }
			near := at(1) + at(2)
			all++
			if step(near, at(-2)+at(-3)) > 2*step(near, at(5)+at(6))+14 {
				jumps++
			}
			for k := 3; k < seamReach; k++ { // upright lines of the picture count on neither side
				inside += step(at(k), int(look[(y-2)*s.r.w+x+k*side]))
				outside += step(at(-k), int(look[(y-2)*s.r.w+x-k*side]))
			}
		}
	}
	pairs := (seamReach - 3) * all
	return outside < 3*pairs && 100*jumps > 55*all || inside > 2*pairs && 10*outside < 3*inside
}
