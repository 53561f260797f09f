package clockface

import (
	"math"
	"slices"
)

// scan is what stands left of the beating cell, position by position, once for each tens digit that the clip shows. A
// position is read when it is asked for.
type scan struct {
	glyphs *Glyphs
	cell   Cell
	ink    float32
	full   float64         // contrast of the beating cell
	x0     float64         // where the strip begins in the picture
	before map[[2]int]bool // by the positions of a digit and of the one right of it: nothing stands before
	epochs []*epoch
	own    exemplars
}

// epoch is a stretch of seconds between two carries: nothing but the unit changes in it.
type epoch struct {
	carries int // since the first second
	seconds int
	plane   Plane
	known   [scanPositions]bool
	scores  [scanPositions]Scores
	like    [scanPositions]*[10]float32
	weighed [scanPositions]*Scores
}

const (
	scanStep      = 0.09 // of the cell's width
	scanFirst     = 0.78
	scanPositions = 122
	scanWidth     = scanFirst + scanPositions*scanStep
)

// newScan averages the seconds of each epoch.
func newScan(g *Glyphs, s *strip, q sequence, x0 int) *scan {
	out := &scan{glyphs: g, cell: q.cell, ink: q.ink, own: exemplarsOf(s, q), x0: float64(x0), before: map[[2]int]bool{}}
	for k, p := range s.seconds {
		if !q.seen[k] {
			continue
		}
		n := len(out.epochs)
		if c := (q.start + k) / 10; n == 0 || out.epochs[n-1].carries != c {
			out.epochs = append(out.epochs, &epoch{carries: c, plane: NewPlane(p.W, p.H)})
			n++
		}
		e := out.epochs[n-1]
		e.seconds++
		for i, v := range p.Pix {
			e.plane.Pix[i] += v
		}
	}
	for _, e := range out.epochs {
		for i := range e.plane.Pix {
			e.plane.Pix[i] /= float32(e.seconds)
		}
		out.full = max(out.full, contrast(e.plane, q.cell))
	}
	return out
}

// mean weighs the epochs by their seconds: one that a graphic slides in in, or that the clip ends in, shows a digit half.
func (sc *scan) mean(of func(*epoch) float32) float64 {
	sum, seconds := 0.0, 0
	for _, e := range sc.epochs {
		sum += float64(of(e)) * float64(e.seconds)
		seconds += e.seconds
	}
	return sum / float64(seconds)
}

func (sc *scan) longest() *epoch {
	return slices.MaxFunc(sc.epochs, func(a, b *epoch) int { return a.seconds - b.seconds })
}

func (sc *scan) at(i int) Cell {
	c := sc.cell
	c.X -= offset(i) * c.W
	return c
}

func (sc *scan) read(e *epoch, i int) *Scores {
	if !e.known[i] {
		e.known[i], e.scores[i] = true, blank()
		if cell := sc.at(i); cell.X > -0.3*cell.W {
			if patch, ok := Cut(e.plane, cell, sc.ink); ok {
				e.scores[i] = sc.glyphs.Read(&patch)
				for n, v := range e.scores[i] {
					e.scores[i][n] = max(v, least)
				}
			}
		}
	}
	return &e.scores[i]
}

// alike: what stands there is as light and as dark as the clock. Footage that moves behind it averages to a grey that can
// look like anything.
func (sc *scan) alike(i int, part float64) bool {
	e := sc.epochs[0]
	lo, hi := shades(e.plane, sc.cell)
	from, to := shades(e.plane, sc.at(i))
	near := float32(part * sc.full)
	return abs(lo-from) < near && abs(hi-to) < near
}

// offset is how many cells left of the beating one a position lies.
func offset(i int) float64 { return scanFirst + float64(i)*scanStep }

func index(off float64) int { return int(math.Round((off - scanFirst) / scanStep)) }

// contrast is the range of brightness within a cell.
func contrast(p Plane, c Cell) float64 {
	lo, hi := shades(p, c)
	return float64(max(0, hi-lo))
}

func shades(p Plane, c Cell) (lo, hi float32) {
	lo, hi = 255, 0
	for y := max(0, int(c.Y+0.5)); y < min(p.H, int(c.Y+c.H+0.5)); y++ {
		for x := max(0, int(c.X+0.5)); x < min(p.W, int(c.X+c.W+0.5)); x++ {
			v := p.Pix[y*p.W+x]
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return lo, hi
}

// layout is a reading of the cells left of the beating one.
type layout struct {
	tens, minute, minutes int // digits at the first second; minutes is -1 for M:SS
	pitch, m1, m10        float64
	total                 float64    // score of the four places together
	margins               [3]float64 // over the second-best tens, minute, minutes in the same cells
	apart                 float64    // over the best other reading of other cells
	colon                 float64    // score of the colon
}

// blankMinutes stands for no tens of minutes in the table.
const blankMinutes = 10

// arrange searches pitch, colon gap and digits together, carries included.
func arrange(sc *scan) (layout, bool) {
	best := layout{total: math.Inf(-1)}
	if len(sc.epochs) == 0 {
		return best, false
	}
	sc.each(func(l layout) {
		if l.total > best.total {
			best = l
		}
	})
	if math.IsInf(best.total, -1) {
		return best, false
	}
	// The same glyphs cut a little to the side are no other reading; other glyphs are.
	other := math.Inf(-1)
	sc.each(func(l layout) {
		if l.total > other && !l.sameCells(best) && !l.sameDigits(best) && !l.skips(best) {
			other = l.total
		}
	})
	best.apart = min(-2*least, best.total-other)
	carried := func(e *epoch) int { return (best.tens + e.carries) / 6 }
	best.pitch, best.margins[0] = sc.margin(best.pitch, best.tens, 6, func(e *epoch, d int) int { return (d + e.carries) % 6 })
	best.m1, best.margins[1] = sc.margin(best.m1, best.minute, 10, func(e *epoch, d int) int { return (d + carried(e)) % 10 })
	best.margins[2] = -2 * least
	if best.minutes == blankMinutes {
		best.minutes = -1
	} else {
		best.m10, best.margins[2] = sc.margin(best.m10, best.minutes, 10, func(e *epoch, d int) int {
			if best.minute == 9 {
				return (d + carried(e)) % 10
			}
			return d
		})
	}
	return best, true
}

// sameCells: no digit is cut from another place.
func (l layout) sameCells(o layout) bool {
	const near = 0.7
	blank := l.minutes == blankMinutes || o.minutes == blankMinutes
	return math.Abs(l.pitch-o.pitch) < near && math.Abs(l.m1-o.m1) < near && (math.Abs(l.m10-o.m10) < near && !blank || l.minutes == o.minutes)
}

// skips: the cells are those of a better reading, but one of its digits is taken for the colon, or for none: 6:25 of 66:25.
func (l layout) skips(o layout) bool {
	const near, better = 0.5, 0.25
	on := func(a, b float64) bool { return math.Abs(a-b) < near }
	left := func(digit float64) bool { return digit+near < l.m10 && !on(digit, l.pitch) && !on(digit, l.m1) }
	return o.total-l.total > better && on(l.pitch, o.pitch) && (on(l.m1, o.m1) || on(l.m1, o.m10)) && o.minutes != blankMinutes && (left(o.m1) || left(o.m10))
}

func (l layout) sameDigits(o layout) bool {
	return l.tens == o.tens && l.minute == o.minute && l.minutes == o.minutes
}

// margin is how much better a digit is than the best of the others, and than no digit, in the middle of where it is read; at
// most what two glances can count. It returns that middle.
func (sc *scan) margin(off float64, best, digits int, shows func(e *epoch, d int) int) (middle, better float64) {
	score := func(i, class int) float64 {
		return sc.mean(func(e *epoch) float32 {
			if class < digits {
				return sc.weigh(e, i)[shows(e, class)]
			}
			return sc.weigh(e, i)[class]
		})
	}
	at := index(off)
	from, to, floor := at, at, score(at, best)-0.3
	for from > 0 && at-from < 4 && score(from-1, best) > floor {
		from--
	}
	for to < scanPositions-1 && to-at < 4 && score(to+1, best) > floor {
		to++
	}
	other := math.Inf(-1)
	sum := func(class int) (v float64) {
		for i := max(0, (from+to)/2-1); i <= min(scanPositions-1, (from+to+1)/2+1); i++ {
			v += score(i, class)
		}
		return v / float64(min(scanPositions-1, (from+to+1)/2+1)-max(0, (from+to)/2-1)+1)
	}
	for c := range Classes {
		if c != best && (c < digits || c >= Colon) {
			other = max(other, sum(c))
		}
	}
	return (offset(from) + offset(to)) / 2, min(-2*least, sum(best)-other+sc.confirm((from+to)/2, func(e *epoch) int { return shows(e, best) }))
}

// each yields every arrangement that is not hopeless.
func (sc *scan) each(found func(layout)) {
	sum := func(at int, digit func(*epoch) int) float64 {
		return sc.mean(func(e *epoch) float32 { return sc.weigh(e, at)[digit(e)] })
	}
	const hopeless = -3.2
	for ti := index(0.92); offset(ti) <= 1.95; ti++ {
		pitch := offset(ti)
		for tens := range 6 {
			t := sum(ti, func(e *epoch) int { return (tens + e.carries) % 6 })
			if t < hopeless {
				continue
			}
			carried := func(e *epoch) int { return (tens + e.carries) / 6 }
			for mi := index(2.1 * pitch); mi < scanPositions && offset(mi) <= 3.35*pitch; mi++ {
				colon := sum(index((pitch+offset(mi))/2), func(*epoch) int { return Colon })
				for d := range 10 {
					one := sum(mi, func(e *epoch) int { return (d + carried(e)) % 10 })
					if one < hopeless {
						continue
					}
					l := layout{tens: tens, minute: d, pitch: pitch, m1: offset(mi), colon: colon}
					sc.high(l, t+one+colon, d == 9, carried, found)
				}
			}
		}
	}
}

// high tries the tens of the minutes.
func (sc *scan) high(l layout, so float64, nine bool, carried func(*epoch) int, found func(layout)) {
	if sc.alone(l.m1, l.pitch) {
		none := l
		none.minutes, none.m10, none.total = blankMinutes, l.m1+l.pitch, so-0.1
		found(none)
	}
	for ni := index(l.m1 + 0.9*l.pitch); ni <= index(l.m1+1.13*l.pitch) && ni < scanPositions; ni++ {
		l.m10 = offset(ni)
		for d := range 10 {
			v := sc.mean(func(e *epoch) float32 {
				if nine {
					return sc.weigh(e, ni)[(d+carried(e))%10]
				}
				return sc.weigh(e, ni)[d]
			})
			l.minutes, l.total = d, so+v
			found(l)
		}
	}
}

// beyond returns what stands left of the minutes.
type beyond int

const (
	nothing  beyond = iota
	aDigit          // close by, and not surely a hundred; or what may be a colon
	aHundred        // the one of 116:47
	hours           // a colon, and a digit before it
	aPlus           // the small timer of stoppage time
)

// How like the colon of the clock another one must be: where the classifier sees none, and where it does. Over the fonts that limits are
// chosen on, what stood left of a match clock came to 0.46 and a colon after hours to 0.64 at least, but for one of 0.19.
const (
	sameColon    = 0.55
	perhapsColon = 0.1
	surelyColon  = 0.65 // the 1 of 116:47 comes to less
	unseen       = -0.7 // what scores less is hardly there
	clearColon   = -0.4 // a place without a colon mostly scores less
	paleColon    = -0.3 // a dot or a gap in its place comes to less, and the digit of an hour before another one to more
	noDots       = 0.2  // of what the colon has
	hasDots      = 0.5  // between the ones of 116:47 it comes to 0.28 at most, between those of 1:16:47 to 0.87 at least
)

// secondColon looks for the colon of the clock once more left of the minutes, and for a digit before it: hours. It is compared
// with the first, pixel by pixel, for letters and the edges of bars are also read as colons now and then.
func (sc *scan) secondColon(l layout, from float64) (like, digit float64) {
	half := (l.m1 - l.pitch) / 2 // from a colon to the digits beside it
	e := sc.longest()
	wide := min(0.8, max(0.25, (2*half-1)/1.4))
	narrow := func(off float64) Cell {
		c := sc.cell
		c.X += (0.5-off)*c.W - wide*c.W/2
		c.W *= wide
		return c
	}
	first := narrow((l.pitch + l.m1) / 2)
	ground := brightness(e.plane, first)
	pattern, ok := Cut(e.plane, first, sc.ink)
	if !ok {
		return 0, least
	}
	for off := from + 0.6*half; off <= from+1.4*half; off += scanStep / 2 {
		c := narrow(off)
		if c.X < 0 || contrast(e.plane, c) < 0.5*contrast(e.plane, first) || float64(abs(brightness(e.plane, c)-ground)) > 0.2*sc.full {
			continue // a bar of another colour begins there
		}
		if patch, ok := Cut(e.plane, c, sc.ink); ok {
			like = max(like, float64(dot(pattern[:], patch[:]))/float64(len(patch)))
		}
	}
	digit = least
	for i := max(0, index(from+1.6*half)); i <= min(scanPositions-1, index(from+2.5*half)); i++ {
		s := sc.read(e, i)
		if d := s.Best(); d < Colon {
			digit = max(digit, float64(s[d])+min(0, sc.confirm(i, func(*epoch) int { return d })))
		}
	}
	return like, digit
}

// left looks at what stands before the minutes. A one counts with a margin.
func (sc *scan) left(l layout, margin float64) beyond {
	from := l.m10
	if l.minutes < 0 {
		from = l.m1
	}
	// likeliest is the best score of a class between two offsets, seen from the last digit of the minutes.
	likeliest := func(lo, hi float64, class int) float64 {
		best := math.Inf(-1)
		for i := max(0, index(from+lo)); i <= min(scanPositions-1, index(from+hi)); i++ {
			if class < Colon && !sc.alike(i, 0.3) || class == Colon && !sc.alike(i, 0.5) { // small dots are paler
				continue
			}
			v := sc.mean(func(e *epoch) float32 { return sc.read(e, i)[class] })
			if class < Colon && v > best {
				v += min(0, sc.confirm(i, func(*epoch) int { return class }))
			}
			best = max(best, v)
		}
		return best
	}
	half := (l.m1 - l.pitch) / 2 // from a colon to the digits beside it
	like, before := sc.secondColon(l, from)
	colon := likeliest(0.6*half, 1.4*half, Colon)
	one := l.minutes >= 0 && l.minutes <= 2 && sc.dots(l, from+0.25*l.pitch, from+0.9*l.pitch) < hasDots && sc.hundred(l) >= margin
	if one && like < surelyColon && colon < clearColon {
		if _, empty := sc.groundBefore(from+l.pitch, l.pitch, l.lone()); empty {
			return aHundred // before a colon something stands
		}
	}
	asHours := before > -1.5 && (like > sameColon || like > perhapsColon && before > unseen && colon > unseen)
	if asHours && sc.dots(l, from+0.25*l.pitch, from+1.4*l.pitch) > noDots {
		return hours
	}
	if likeliest(0.7*l.pitch, 1.45*l.pitch, Plus) > unseen {
		return aPlus
	}
	if asHours && !one || l.colon < paleColon && before > paleColon || sc.dots(l, from+0.6, from+0.9*l.pitch) >= hasDots { // not of a 5, which has ink above and below, too
		return aDigit // hours, whose digit or colon is not sure
	}
	if l.minutes < 0 {
		return nothing
	}
	for d := range 10 {
		if likeliest(0.9*l.pitch, 1.15*l.pitch, d) > unseen {
			return aDigit
		}
	}
	return nothing
}

// hundred is the margin of a one in front of the minutes, over whatever else could stand there: an edge of a bar looks like one, and so do the
// hour of 1:11:03, a line between score and clock, and the end of 2-1.
func (sc *scan) hundred(l layout) float64 {
	one := func(i int) float32 { return sc.read(sc.epochs[0], i)[1] }
	best, at := float32(math.Inf(-1)), 0
	for i := index(l.m10 + 0.9*l.pitch); i <= min(scanPositions-1, index(l.m10+1.15*l.pitch)); i++ {
		if v := one(i); v > best {
			best, at = v, i
		}
	}
	if best < -0.1 || offset(at)-l.m10 > l.m1/2 { // farther than the next digit would stand, towards where one stands across a colon
		return least
	}
	first, last := at, at // where it is read as one: it stands in the middle
	for first > 0 && one(first-1) > -0.5 {
		first--
	}
	for last+1 < scanPositions && one(last+1) > -0.5 {
		last++
	}
	if middle := offset((first + last) / 2); middle-l.m10 > 1.17*l.pitch || !sc.asTall(middle, l.m10) || sc.dash(l, middle) {
		return least
	}
	_, better := sc.margin(offset(at), 1, 10, func(_ *epoch, d int) int { return d })
	return better
}

// dash reports whether that of a score stands left of a one: ink half-way up, and none above or below as of the box of another text.
func (sc *scan) dash(l layout, one float64) bool {
	p, c := sc.longest().plane, sc.cell
	ground, ink := sc.tones(p, c.X-l.m10*c.W)
	n := 0
	for x := max(0, int(c.X+(0.5-one-1.4*l.pitch)*c.W)); x < int(c.X+(0.5-one-0.4*l.pitch)*c.W); x++ {
		most := func(from, to float64) (most float32) {
			for y := max(0, int(c.Y+from*c.H)); y < min(p.H, int(c.Y+to*c.H+1)); y++ {
				most = max(most, (p.Pix[y*p.W+x]-ground)/(ink-ground))
			}
			return most
		}
		if most(0.3, 0.75) > 0.4 && most(-0.2, -0.15) < 0.3 && most(1.15, 1.2) < 0.3 {
			n++
		}
	}
	return n > 1
}

// asTall reports whether the stem of a one is as high as a digit, and as dark or light.
func (sc *scan) asTall(one, digit float64) bool {
	p, c := sc.longest().plane, sc.cell
	ground, ink := sc.tones(p, c.X-digit*c.W)
	// reach is from where to where ink reaches, in lines, and how much of it there is, in the column of some with the most.
	reach := func(off, around float64) (top, bottom int, most float32) {
		top, bottom = p.H, 0
		for x := max(0, int(c.X+(0.5-off-around)*c.W)); x <= min(p.W-1, int(c.X+(0.5-off+around)*c.W)); x++ {
			var sum, n float32
			for y := max(0, int(c.Y-0.3*c.H)); y < min(p.H, int(c.Y+1.3*c.H)); y++ {
				if v := (p.Pix[y*p.W+x] - ground) / (ink - ground); v > 0.5 {
					top, bottom, sum, n = min(top, y), max(bottom, y), sum+v, n+1
				}
			}
			most = max(most, sum/max(1, n))
		}
		return top, bottom, most
	}
	top, bottom, dark := reach(one, 0.35)
	least, last, _ := reach(digit, 0.5)
	return dark > 0.8 && least-top+bottom-last < 2
}

// dots is how much of the clock's colon stands between two offsets, in one column: ink at the heights of its two dots, and less between them.
// Where digits are few pixels wide, the 1 of the hours stands as near as a digit of the minutes would, and only the dots tell.
func (sc *scan) dots(l layout, from, to float64) float64 {
	p := sc.longest().plane
	y0, y1 := max(0, int(sc.cell.Y+0.5)), min(p.H, int(sc.cell.Y+sc.cell.H+0.5))
	ink := func(x, y int) float32 { return sc.ink * p.Pix[y*p.W+x] }
	columns := func(from, to float64, see func(x int)) {
		for x := max(0, int(sc.cell.X+(0.5-to)*sc.cell.W)); x <= min(p.W-1, int(sc.cell.X+(0.5-from)*sc.cell.W)); x++ {
			see(x)
		}
	}
	var own, other float32
	var up, mid, down int
	columns((l.pitch+l.m1)/2-0.25, (l.pitch+l.m1)/2+0.25, func(x int) {
		for m := y0 + 1; m < y1-1; m++ {
			u, d := y0, m+1
			for y := y0; y < y1; y++ {
				if y < m && ink(x, y) > ink(x, u) {
					u = y
				} else if y > m && ink(x, y) > ink(x, d) {
					d = y
				}
			}
			if v := min(ink(x, u), ink(x, d)) - ink(x, m); v > own {
				own, up, mid, down = v, u, m, d
			}
		}
	})
	columns(from, to, func(x int) { other = max(other, min(ink(x, up), ink(x, down))-ink(x, mid)) })
	return float64(other / max(own, 1))
}
