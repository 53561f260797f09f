package clockface

import (
	"math"
	"slices"
	"strings"
)

// What a glyph of a standing text can be: the digits 0 to 9, then A to Z.
const (
	letterA       = 10
	Ordinal       = 36 // º, ª, °
	NoLetter      = 37 // no glyph, another, or not one alone
	LetterClasses = 38
)

// LetterScores are natural logarithms of probabilities, one for each class.
type LetterScores [LetterClasses]float32

// Best returns the most probable class.
func (s LetterScores) Best() int { return best(s[:]) }

// NewLetters unpacks the classifier of standing text.
func NewLetters() *Glyphs { return embedded(letterWeights, LetterClasses) }

// ReadLetter returns what a patch of a standing text may be.
func (g *Glyphs) ReadLetter(p *Patch) (out LetterScores) {
	g.read(p, out[:])
	return out
}

// LetterClass is the class of a character, NoLetter for any other.
func LetterClass(r rune) int {
	switch {
	case r >= '0' && r <= '9':
		return int(r - '0')
	case r >= 'A' && r <= 'Z':
		return letterA + int(r-'A')
	case r == 'º' || r == 'ª' || r == '°':
		return Ordinal
	}
	return NoLetter
}

// narrowest is how wide the cell of a letter is at least, in parts of its height: an I is seen with what stands beside it.
const narrowest = 0.45

// LetterCell is the cell in which a glyph is read whose ink lies between two columns.
func LetterCell(from, to, top, height float64) Cell {
	c := Cell{X: from, Y: top, W: to - from, H: height}
	if least := narrowest * height; c.W < least {
		c.X, c.W = c.X-(least-c.W)/2, least
	}
	return c
}

// glyph is one character of a standing text, as far as it can be read.
type glyph struct {
	mark   // where it stands
	scores LetterScores
}

// letter is the most probable letter, and by how much: over the second-best one, and over what is none; digits do not count.
func (g glyph) letter() (c byte, better float32) {
	l, second := g.bestOf(letterA, Ordinal)
	return byte('A' + l - letterA), g.scores[l] - max(second, g.scores[NoLetter], g.scores[Ordinal])
}

// digit is the most probable digit, and by how much; letters do not count.
func (g glyph) digit() (d int, better float32) {
	d, second := g.bestOf(0, letterA)
	return d, g.scores[d] - max(second, g.scores[NoLetter], g.scores[Ordinal])
}

// clear: a glyph is surely its most probable letter. In few pixels a narrow W looks like a U, and a U like a W where something shines between its
// stems; and what is taken for an I may be a T whose arms are pale.
func (s *surroundings) clear(g glyph) bool {
	c, better := g.letter()
	if (c == 'W' || c == 'Q') && better < letterNear || c == 'I' && s.arm(g, g.x0-1) && s.arm(g, g.x1) {
		return false
	}
	for _, o := range "UVWY" {
		if strings.ContainsRune("UVWY", rune(c)) && byte(o) != c && g.scores[LetterClass(rune(c))]-g.scores[LetterClass(o)] < letterNear {
			return false
		}
	}
	return better > letterMargin
}

// lookAlikes are pairs of letters of which one is surely read as the other at times: a line that crosses a letter, or a glint within it, is a
// stroke more (I and T, U and W), and in few pixels a gap closes or a stroke fades (C and G, E and F). Found in drawn words that lines and glints cross.
const lookAlikes = "AP AR BD BE BP BR CG CL CO DO DP EF EL EY FP FT GO GQ HM HN IJ IL IT JL KR LT LU MN MW NW OQ OU PR TY TZ UV UW UY VW VY"

// Misreadings are the words that another one may have been read for, each with one letter that looks like its own.
func Misreadings(word string) (out []string) {
	for i, c := range word {
		for pair := range strings.FieldsSeq(lookAlikes) {
			if at := strings.IndexRune(pair, c); at >= 0 {
				out = append(out, word[:i]+pair[1-at:2-at]+word[i+1:])
			}
		}
	}
	return out
}

// arm: in a column beside a glyph ink stands in its upper half, and not all the way down.
func (s *surroundings) arm(g glyph, x int) bool {
	var column []float32
	for y := g.y0; y < g.y1; y++ {
		column = append(column, g.ink()*s.mean.Pix[y*s.mean.W+min(s.mean.W-1, max(0, x))])
	}
	upper := slices.Max(column[:(len(column)+1)/2])
	slices.Sort(column)
	return float64(upper-column[len(column)/2]) > armInk*s.full
}

func (g glyph) bestOf(from, to int) (class int, second float32) {
	class = from + best(g.scores[from:to])
	second = least
	for c := from; c < to; c++ {
		if c != class {
			second = max(second, g.scores[c])
		}
	}
	return class, second
}

// lean is how much more a glyph looks like a letter than like a digit.
func (g glyph) lean() float32 {
	l, _ := g.bestOf(letterA, Ordinal)
	d, _ := g.bestOf(0, letterA)
	return g.scores[l] - g.scores[d]
}

// read parts the marks of a line into glyphs.
func (s *surroundings) read(l line) []glyph {
	var out []glyph
	for _, m := range l.marks {
		out = append(out, s.part(m, l)...)
	}
	return out
}

// Glyphs wider than this are none; and each counts against a reading, for the halves of a W look like two V.
const (
	widest    = 1.6
	eachGlyph = 0.7
)

// part cuts a mark where its ink is thin, so that what lies between the cuts looks most like characters.
func (s *surroundings) part(m mark, l line) []glyph {
	cuts := s.cuts(m, l)
	type path struct {
		score float32
		from  int
	}
	paths := make([]path, len(cuts))
	for i := 1; i < len(cuts); i++ {
		paths[i] = path{score: float32(math.Inf(-1))}
		for k := range i {
			w := float64(cuts[i] - cuts[k])
			if w > widest*l.height || w < 0.12*l.height && len(cuts) > 2 {
				continue
			}
			if v := paths[k].score + s.worth(m, l, cuts[k], cuts[i]); v > paths[i].score {
				paths[i] = path{v, k}
			}
		}
	}
	var out []glyph
	if math.IsInf(float64(paths[len(cuts)-1].score), -1) {
		return nil
	}
	for i := len(cuts) - 1; i > 0; i = paths[i].from {
		g := m
		g.x0, g.x1 = cuts[paths[i].from], cuts[i]
		out = append(out, glyph{g, s.glance(g, l)})
	}
	slices.Reverse(out)
	return out
}

// cuts are the columns of a mark at which a glyph may end.
func (s *surroundings) cuts(m mark, l line) []int {
	out := []int{m.x0}
	if m.w() > 0.6*l.height {
		ink := make([]float32, m.x1-m.x0) // of each column
		most := float32(0)
		ground := m.ink() * s.groundOf(m)
		for i := range ink {
			for y := m.y0; y < m.y1; y++ {
				ink[i] += max(0, m.ink()*s.mean.Pix[y*s.mean.W+m.x0+i]-ground)
			}
			most = max(most, ink[i])
		}
		for i := 1; i+1 < len(ink); i++ {
			if ink[i] < 0.75*most && ink[i] <= ink[i-1] && ink[i] <= ink[i+1] {
				out = append(out, m.x0+i)
				if m.h() > 9 {
					continue
				}
				out = append(out, m.x0+i+1) // the thinnest place may lie between two columns
			}
		}
	}
	return slices.Compact(append(out, m.x1))
}

// groundOf is the shade around a mark.
func (s *surroundings) groundOf(m mark) float32 {
	level := m.ink() * 1000
	return level - m.ink()*s.around(m, level)
}

// worth is how much a stretch of columns looks like one character.
func (s *surroundings) worth(m mark, l line, from, to int) float32 {
	patch, ok := Cut(s.mean, LetterCell(float64(from), float64(to), l.top, l.height), m.ink())
	if !ok {
		return least
	}
	scores := s.letters.ReadLetter(&patch)
	return max(least, scores[best(scores[:Ordinal])]) - eachGlyph
}

// glance reads one glyph, with its edges moved a little now and then.
func (s *surroundings) glance(g mark, l line) (out LetterScores) {
	n := float32(0)
	h := l.height
	for _, m := range [][4]float64{{0, 0, 0, 0}, {-0.06, 0.06, 0, 0}, {0.05, -0.05, 0, 0}, {0, 0, -0.05, 0.1}, {-0.05, 0, 0, 0}, {0, 0.05, 0, 0}, {0, 0, 0.04, -0.06}} {
		patch, ok := Cut(s.mean, LetterCell(float64(g.x0)+m[0]*h, float64(g.x1)+m[1]*h, l.top+m[2]*h, h+m[3]*h), g.ink())
		if !ok {
			continue
		}
		for k, v := range s.letters.ReadLetter(&patch) {
			out[k] += max(v, least)
		}
		n++
	}
	for k := range out {
		out[k] = (out[k] + least*(1-min(1, n))) / max(1, n)
	}
	return out
}
