package clockface

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// How far from the clock's last digit what stands beside it is read, in cells of it.
const (
	besideWide  = 32
	besideAbove = 6
	besideBelow = 6
)

// beside is what stands around a clock.
type beside struct {
	score *Score
	codes []string
	half  int // 0: not said
}

// surroundings are the picture around a clock, averaged over the seconds in which it was read.
type surroundings struct {
	letters *Glyphs
	digits  *Glyphs
	still
	unit  Cell // the clock's last digit
	clock mark // the box of the clock
	full  float64
}

// readBeside reads the score, the words in capitals and the label of the half around a clock, in the looks between which it was read.
func (r *Reader) readBeside(unit Cell, l layout, from, to int) beside {
	out, turns := r.readStanding(unit, l, from, to)
	if turns { // names that turn into codes, a score that changes: what stands at the end counts
		late, _ := r.readStanding(unit, l, max(from, to-Rate), to)
		out.score, out.half = cmp.Or(out.score, late.score), cmp.Or(out.half, late.half)
		for _, c := range late.codes {
			if !slices.Contains(out.codes, c) {
				out.codes = append(out.codes, c)
			}
		}
	}
	if r.floor > 0 && out.score != nil {
		back := r.wholeBrightness()
		if all, _ := r.readStanding(unit, l, from, to); all.score != nil && *all.score != *out.score {
			out.score = nil // of a 4 with a thin slope what is light is a 1
		}
		back()
	}
	return out
}

// readStanding reads what stands still all the time. It turns where something else beside it does not.
func (r *Reader) readStanding(unit Cell, l layout, from, to int) (out beside, turns bool) {
	left := l.m10 // how far the clock reaches
	if l.minutes < 0 {
		left = l.m1
	}
	b := box{int(unit.X - besideWide*unit.W), int(unit.Y - besideAbove*unit.H), int(unit.X + besideWide*unit.W), int(unit.Y + (besideBelow+1)*unit.H)}.within(r.w, r.h)
	if r.letters == nil {
		r.letters = NewLetters()
	}
	s := &surroundings{letters: r.letters, digits: r.glyphs, unit: unit, still: r.halves(b, from, to)}
	s.unit.X -= float64(b.x0)
	s.unit.Y -= float64(b.y0)
	s.full = contrast(s.mean, s.unit)
	s.clock = mark{x0: int(s.unit.X - (left+0.3)*unit.W), x1: int(s.unit.X + 1.3*unit.W), y0: int(s.unit.Y - 0.3*unit.H), y1: int(s.unit.Y+1.3*unit.H) + 1}
	return s.all()
}

func (s *surroundings) all() (out beside, turns bool) {
	marks, moving := s.marks()
	marks = slices.DeleteFunc(marks, func(m mark) bool { return m.overlaps(s.clock) })
	var found []token
	for _, l := range s.lines(marks) {
		l.marks = slices.DeleteFunc(l.marks, func(m mark) bool { // the inside of a letter that was read
			return slices.ContainsFunc(found, func(t token) bool { return t.sure && t.light != m.light && m.within(t.mark) })
		})
		if len(l.marks) > 0 {
			found = append(found, s.tokens(l)...)
		}
	}
	found = slices.DeleteFunc(slices.Clone(found), func(t token) bool { // the ground around what was read
		return !t.sure && slices.ContainsFunc(found, func(o token) bool { return o.sure && o.overlaps(t.mark) })
	})
	slices.SortStableFunc(found, func(a, b token) int { return cmp.Or(cmp.Compare(a.y1, b.y1), cmp.Compare(a.x0, b.x0)) })
	out.half = s.half(found, marks)
	letters := slices.DeleteFunc(slices.Clone(marks), func(m mark) bool { // a digit may stand close to a code
		return slices.ContainsFunc(found, func(t token) bool { return t.kind == number && m.within(t.mark) })
	})
	for _, t := range found {
		switch {
		case t.kind == unread:
		case !t.alone(moving, 1):
			turns = true
		case t.kind == word && t.sure && len(t.text) > 2 && t.alone(letters, 0.28) && s.whole(t) && !slices.Contains(out.codes, t.text):
			out.codes = append(out.codes, t.text)
		}
	}
	out.score = s.score(found, marks)
	return out, turns
}

// whole: a word is not cut off by the edge of the picture, or of what is looked at.
func (s *surroundings) whole(t token) bool {
	return float64(t.x0) > t.height && float64(t.x1) < float64(s.mean.W)-t.height
}

// kind of a token.
type kind int

const (
	unread kind = iota
	word        // of letters, two or more
	number      // one digit
)

// token is a row of glyphs that stand close together.
type token struct {
	mark // of all its glyphs
	line
	glyphs []glyph
	kind   kind
	text   string // of a word
	sure   bool   // each letter of it is
	digit  int    // of a number
}

// What is sure enough of a letter and of a digit. It is chosen on the fonts that limits are chosen on.
const (
	letterMargin = 2   // over the second-best letter
	letterNear   = 3.8 // over one that is easily taken for it
	armInk       = 0.2 // parts of the contrast of the clock
	letterLean   = 1.5 // what looks so much more like a letter than like a digit is no digit
	unclear      = 3   // what looks only so much more like a letter may be a digit beside a word
	digitMargin  = 1.2
	mostUsual    = 0.4 // of a digit's height: what lies between letters, where few gaps show it
)

// tokens divides the glyphs of a line where the gaps are wider than between the letters of a word, and where digits follow on letters.
func (s *surroundings) tokens(l line) []token {
	glyphs := s.read(l)
	if len(glyphs) == 0 {
		return []token{{mark: bounds(l.marks), line: l}}
	}
	gap := func(i int) float64 { return float64(glyphs[i+1].x0-glyphs[i].x1) / l.height } // behind a glyph
	var gaps []float64
	for i := range glyphs[1:] {
		gaps = append(gaps, gap(i))
	}
	slices.Sort(gaps)
	usual := mostUsual
	if len(gaps) > 0 {
		usual = min(usual, gaps[(len(gaps)-1)/2])
	}
	divided := func(i int) bool {
		a, b := &glyphs[i], &glyphs[i+1]
		if u, v := a.lean(), b.lean(); gap(i) > 0.2 && gap(i) > usual && u*v < 0 && min(abs(u), abs(v)) > letterLean {
			return true
		} else if gap(i) < 0.3 || max(u, v) > unclear {
			return gap(i) >= max(0.3, usual+0.2)
		}
		dash, _ := s.ink(a.mark, b.mark)
		return dash || gap(i) >= usual+0.2
	}
	var out []token
	begin := 0
	for end := 1; end <= len(glyphs); end++ {
		if end == len(glyphs) || divided(end-1) {
			out = append(out, s.split(glyphs[begin:end], l, usual, begin == 0, end == len(glyphs))...)
			begin = end
		}
	}
	return out
}

// split parts a digit from a code or a name that it stands close to: RMA0 is RMA and 0. At the end of a line, a gap a little wider than between
// letters is enough. None has two letters: of SAO and BVB nothing is parted.
func (s *surroundings) split(row []glyph, l line, usual float64, first, last bool) []token {
	n := len(row) - 1
	gap := func(i int) int { return row[i+1].x0 - row[i].x1 }
	for _, c := range []struct {
		digit, cut int
		atEnd      bool
	}{{n, n, last}, {0, 1, first}} {
		if g := row[c.digit]; n >= 3 && g.lean() < unclear {
			_, better := g.digit()
			if c.atEnd && float64(gap(c.cut-1)) > (usual+0.03)*l.height || n == 3 && better > digitMargin && gap(c.cut-1) >= gap(1) {
				return []token{s.token(row[:c.cut], l), s.token(row[c.cut:], l)}
			}
		}
	}
	return []token{s.token(row, l)}
}

func bounds[M interface{ box() mark }](marks []M) mark {
	out := marks[0].box()
	for _, m := range marks {
		m := m.box()
		out.x0, out.x1, out.y0, out.y1 = min(out.x0, m.x0), max(out.x1, m.x1), min(out.y0, m.y0), max(out.y1, m.y1)
	}
	return out
}

func (m mark) box() mark { return m }

func (s *surroundings) token(glyphs []glyph, l line) token {
	t := token{mark: bounds(glyphs), line: l, glyphs: glyphs}
	if len(glyphs) == 1 {
		t.digit, t.sure = s.readDigit(glyphs[0], l)
		if t.sure {
			t.kind = number
		}
		return t
	}
	letters, digits := 0, 0
	t.sure = true
	var b strings.Builder
	for _, g := range glyphs {
		c, better := g.letter()
		b.WriteByte(c)
		t.sure = t.sure && s.clear(g)
		switch lean := g.lean(); {
		case better > 0 && lean > letterLean:
			letters++
		case lean < -letterLean:
			digits++
		}
	}
	if t.text = b.String(); letters > digits && 2*letters >= len(glyphs) && len(glyphs) <= 14 {
		t.kind, t.sure = word, t.sure && digits == 0 && letters >= min(2, len(glyphs)-1)
	}
	return t
}

// readDigit reads a glyph that stands alone; both classifiers have to agree, and neither may see a letter.
func (s *surroundings) readDigit(g glyph, l line) (int, bool) {
	d, better := g.digit()
	letter, _ := g.letter()
	lean := g.lean()
	if d == 0 && letter == 'O' || d == 1 && letter == 'I' { // in many fonts they are the same, and no letter stands alone
		lean -= unclear
	}
	if better < digitMargin || lean > letterLean {
		return 0, false
	}
	w := s.unit.W * l.height / s.unit.H
	if own := g.w(); own > 0.7*w { // all but a 1 are about as wide as the cell
		w = own
	}
	c := Cell{X: float64(g.x0+g.x1)/2 - w/2, Y: l.top, W: w, H: l.height}
	var sum Scores
	moves := [][4]float64{{0, 0, 1, 1}, {0, 0, 0.86, 1}, {0, 0, 1.16, 1}, {0, 0, 1, 1.1}, {-0.1, 0, 1, 1}, {0.1, 0, 1, 1}}
	for _, m := range moves {
		patch, ok := Cut(s.mean, c.moved(m[0], m[1], m[2], m[3]), g.ink())
		if !ok {
			return 0, false
		}
		for k, v := range s.digits.Read(&patch) {
			sum[k] += max(v, least) / float32(len(moves))
		}
	}
	second := float32(least)
	for k, v := range sum {
		if k != d {
			second = max(second, v)
		}
	}
	over := sum[d] - second
	return d, sum[d] > scoreSure && (over > scoreMargin || over > digitMargin && better > letterNear)
}

// half is the period that a label beside, above or below the clock says, 0 for none: 1T, 2H, 1ST, 2º.
func (s *surroundings) half(found []token, marks []mark) int {
	half := 0
	for i := range found {
		t := &found[i]
		if !s.near(*t) {
			continue
		}
		glyphs := t.glyphs
		for k := range found { // the digit may stand a little apart
			if o := &found[k]; len(glyphs) == 1 && o.light == t.light && onLine(t, o) && o.x0 >= t.x1 && float64(o.x0-t.x1) < 0.75*t.height {
				glyphs = slices.Concat(glyphs, o.glyphs)
			}
		}
		n := labelOf(glyphs)
		if n == 0 && len(t.glyphs) == 1 && s.ordinal(*t, marks) {
			n = oneOrTwo(t.glyphs[0])
		}
		switch {
		case n == 0:
			continue
		case half != 0 && half != n:
			return 0
		}
		half, t.kind = n, unread
	}
	return half
}

// near: a label stands beside the clock, above it or below it.
func (s *surroundings) near(t token) bool {
	h := s.unit.H
	return float64(t.x0-s.clock.x1) < 3*h && float64(s.clock.x0-t.x1) < 3*h && float64(t.y0-s.clock.y1) < 1.5*h && float64(s.clock.y0-t.y1) < 1.5*h
}

// labelOf reads glyphs as the label of a half.
func labelOf(glyphs []glyph) int {
	if len(glyphs) < 2 || len(glyphs) > 3 {
		return 0
	}
	text := ""
	for _, g := range glyphs[1:] {
		c, better := g.letter()
		if better < letterMargin/2 || g.lean() < letterLean {
			return 0
		}
		text += string(c)
	}
	switch n := oneOrTwo(glyphs[0]); {
	case text == "T", text == "H", n == 1 && text == "ST", n == 2 && text == "ND":
		return n
	}
	return 0
}

// oneOrTwo is which of these two a glyph is, 0 for neither; in a label a stroke is no letter.
func oneOrTwo(g glyph) int {
	n, other := 1, 2
	if g.scores[2] > g.scores[1] {
		n, other = 2, 1
	}
	if d, _ := g.digit(); d != n || g.scores[n]-max(g.scores[other], g.scores[NoLetter]) < digitMargin {
		return 0
	}
	return n
}

// ordinal: a small ring stands behind a digit.
func (s *surroundings) ordinal(t token, marks []mark) bool {
	h := t.height
	return slices.ContainsFunc(marks, func(m mark) bool {
		if m.light != t.light || m.h() < 0.25*h || m.h() > 0.75*h || math.Abs(float64(m.y0)-t.top) > 0.2*h || m.x0 < t.x1-1 || float64(m.x0-t.x1) > 0.35*h {
			return false
		}
		scores := s.glance(m, t.line)
		return scores.Best() == Ordinal && scores[Ordinal] > scoreSure
	})
}
