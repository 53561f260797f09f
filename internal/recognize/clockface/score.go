package clockface

import (
	"math"
	"slices"
)

// Score is what stands beside a clock: two digits, the left or upper one first.
type Score struct{ Left, Right int }

// What is sure enough of a score's digit. It is chosen on the fonts that limits are chosen on.
const (
	scoreSure   = -0.5 // least mean score
	scoreMargin = 2.5  // over the second-best one
)

// score finds the two digits of a score: side by side, each at its team's code, or in lines of their own. Where two places say different
// things, neither counts.
func (s *surroundings) score(found []token, marks []mark) *Score {
	var out *Score
	for i := range found {
		for k := range found {
			a, b := &found[i], &found[k]
			if a.kind != number || b.kind != number || i == k || !alike(a, b) || !a.alone(marks, 0.14) || !b.alone(marks, 0.14) || !a.plain(marks) || !b.plain(marks) ||
				!s.abreast(a, b, found) && !s.apart(a, b, found) && !s.stacked(a, b, found) {
				continue
			}
			if pair := (Score{a.digit, b.digit}); out != nil && *out != pair {
				return nil
			}
			out = &Score{a.digit, b.digit}
		}
	}
	return out
}

// twoDigits is how far apart the middles of two digits of one number never are, in widths of them.
const twoDigits = 1.8

// dashHeight is how high the dash between two digits is at most, in parts of them.
const dashHeight = 0.4

func alike(a, b *token) bool { return math.Abs(a.height-b.height) < max(2.1, 0.2*a.height) }

// onLine reports whether two tokens stand on one line, whatever their sizes.
func onLine(a, b *token) bool {
	return math.Abs(a.top+a.height/2-b.top-b.height/2) < 0.3*max(a.height, b.height)
}

// alone: no other glyph stands nearer than a part of its height, which would be of the same number or word.
func (t *token) alone(marks []mark, apart float64) bool {
	return !slices.ContainsFunc(marks, func(m mark) bool {
		return m.light == t.light && float64(max(m.x0-t.x1, t.x0-m.x1)) < apart*t.height && m.h() > dashHeight*t.height && m.h() < 2*t.height && m.y0 < t.y1 && m.y1 > t.y0 && !m.within(t.mark) && !t.mark.within(m)
	})
}

// plain: a digit is not the inside of a letter, and no plus stands before it.
func (t *token) plain(marks []mark) bool {
	return !slices.ContainsFunc(marks, func(m mark) bool {
		hole := m.light != t.light && t.mark.within(m) && m.w()-t.w() < 0.7*t.height && m.h() < 1.75*t.height
		middle := (float64(m.y0+m.y1)/2 - t.top) / t.height
		plus := m.light == t.light && m.h() > 0.32*t.height && m.h() < 0.8*t.height && middle > 0.35 && middle < 0.75 && m.x1 <= t.x0 && float64(t.x0-m.x1) < 0.5*t.height
		return hole || plus
	})
}

// between lists what stands between two tokens of a line.
func between(a, b *token, found []token) (out []*token) {
	for i := range found {
		if t := &found[i]; t.x0 >= a.x1 && t.x1 <= b.x0 && onLine(a, t) {
			out = append(out, t)
		}
	}
	return out
}

// across: the clock stands between two tokens.
func (s *surroundings) across(a, b *token) bool {
	return s.clock.x0 >= a.x1-1 && s.clock.x1 <= b.x0+1 && float64(s.clock.y0) < a.top+a.height && float64(s.clock.y1) > a.top
}

// abreast: two digits with a dash, a wide space or the edges of their boxes between them.
func (s *surroundings) abreast(a, b *token, found []token) bool {
	h := a.height
	gap := float64(b.x0 - a.x1)
	inner := slices.DeleteFunc(between(a, b, found), func(t *token) bool { // not their own ground
		return a.light == b.light && t.light != a.light && t.kind == unread
	})
	if !onLine(a, b) || gap < 0 || gap > 3.5*h || s.across(a, b) || len(inner) > 0 || another(a, found, false) || another(b, found, true) {
		return false
	}
	if a.light != b.light {
		return true
	}
	dash, other := s.ink(a.mark, b.mark)
	w := s.unit.W * h / s.unit.H
	wide := gap > 0.75*h || gap > 0.5*h && float64(b.x0+b.x1-a.x0-a.x1) > 2*twoDigits*w
	return !other && (dash || wide)
}

// ink is what stands between two digits: a dash in the middle of their height, or anything else.
func (s *surroundings) ink(a, b mark) (dash, other bool) {
	ground := s.groundOf(a)
	full := float32(0)
	for y := a.y0; y < a.y1; y++ {
		for x := a.x0; x < a.x1; x++ {
			full = max(full, a.ink()*(s.mean.Pix[y*s.mean.W+x]-ground))
		}
	}
	over := func(x, y int) float32 {
		return a.ink() * (s.mean.Pix[min(s.mean.H-1, max(0, y))*s.mean.W+x] - ground)
	}
	for x := a.x1 + 1; x < b.x0-1; x++ {
		edge := true // of a box: from above the digits to below them
		for y := a.y0 - 1; edge && y <= a.y1; y++ {
			edge = abs(over(x, y)) > 0.2*full
		}
		if edge {
			continue
		}
		for y := a.y0; y < a.y1; y++ {
			if at := (float64(y-a.y0) + 0.5) / a.h(); at > 0.3 && at < 0.8 {
				dash = dash || over(x, y) > 0.25*full
			} else {
				other = other || over(x, y) > 0.3*full // a shadow is none
			}
		}
	}
	return dash, other
}

// next is what stands next to a digit on its line, to the left or to the right.
func next(t *token, found []token, right bool) (out *token) {
	at := 9 * t.height
	for i := range found {
		o := &found[i]
		gap := float64(t.x0 - o.x1)
		if right {
			gap = float64(o.x0 - t.x1)
		}
		if o != t && gap > -2 && gap < at && onLine(t, o) && o.height > 0.55*t.height && o.height < 1.6*t.height { // higher is an edge of a box
			out, at = o, gap
		}
	}
	return out
}

// nextWord is the word next to a digit; nil if something else is.
func nextWord(t *token, found []token, right bool) *token {
	if o := next(t, found, right); o != nil && o.kind == word {
		return o
	}
	return nil
}

// another: what stands next to a digit of a score may be a digit, too. Then this one may be the O of a code, or all are a date.
func another(t *token, found []token, right bool) bool {
	o := next(t, found, right)
	if o == nil || o.kind == word || o.light != t.light || !alike(t, o) || len(o.glyphs) == 0 {
		return false
	}
	facing := o.glyphs[0]
	if !right {
		facing = o.glyphs[len(o.glyphs)-1]
	}
	return facing.lean() < -letterLean
}

// apart: each digit at its own team's word, on one line: "ARS 2 CHE 1", "2 ARS 1 CHE", or with the clock in the middle.
func (s *surroundings) apart(a, b *token, found []token) bool {
	if !onLine(a, b) || b.x0 < a.x1 {
		return false
	}
	al, ar, bl, br := nextWord(a, found, false), nextWord(a, found, true), nextWord(b, found, false), nextWord(b, found, true)
	inner := between(a, b, found)
	switch {
	case s.across(a, b):
		return len(inner) == 0 && al != nil && br != nil
	case len(inner) == 1:
		return inner[0].kind == word && (al != nil && bl == inner[0] && br == nil || ar == inner[0] && br != nil && al == nil)
	}
	return false
}

// stacked: two digits in lines of their own, each at the end of its team's word.
func (s *surroundings) stacked(a, b *token, found []token) bool {
	h := a.height
	if down := b.top - a.top; down < 1.15*h || down > 3.2*h {
		return false
	}
	aligned := math.Abs(float64(a.x0+a.x1-b.x0-b.x1))/2 < 0.4*h
	for _, right := range []bool{false, true} {
		u, v := nextWord(a, found, right), nextWord(b, found, right)
		begin, end := u != nil && v != nil && math.Abs(float64(u.x0-v.x0)) < 0.6*h, u != nil && v != nil && math.Abs(float64(u.x1-v.x1)) < 0.6*h
		if u != nil && v != nil && alike(u, v) && (aligned && (begin || end) || begin && !right) {
			return true
		}
	}
	return false
}

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

// commonHalf is the half that the labels of all windows say which have one; 0: none has, or they differ.
func commonHalf(found []sight) int {
	half := 0
	for _, f := range found {
		if f.half != 0 && half != 0 && f.half != half {
			return 0
		}
		half = max(half, f.half)
	}
	return half
}
