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
			if a.kind != number || b.kind != number || i == k || !alike(a, b) || !a.alone(marks, 0.14) || !b.alone(marks, 0.14) ||
				!s.abreast(a, b, found, marks) && !s.apart(a, b, found) && !s.stacked(a, b, found) {
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

// dashHeight is how high the dash between two digits is at most, in parts of them.
const dashHeight = 0.4

func alike(a, b *token) bool { return math.Abs(a.height-b.height) < max(1.5, 0.15*a.height) }

// onLine reports whether two tokens stand on one line, whatever their sizes.
func onLine(a, b *token) bool {
	return math.Abs(a.top+a.height/2-b.top-b.height/2) < 0.3*max(a.height, b.height)
}

// alone: no other glyph stands nearer than a part of its height, which would be of the same number or word.
func (t *token) alone(marks []mark, apart float64) bool {
	return !slices.ContainsFunc(marks, func(m mark) bool {
		return m.light == t.light && float64(max(m.x0-t.x1, t.x0-m.x1)) < apart*t.height && m.h() > dashHeight*t.height && m.y0 < t.y1 && m.y1 > t.y0 && !m.within(t.mark) && !t.mark.within(m)
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
func (s *surroundings) abreast(a, b *token, found []token, marks []mark) bool {
	h := a.height
	gap := float64(b.x0 - a.x1)
	if !onLine(a, b) || gap < 0 || gap > 3.5*h || s.across(a, b) || len(between(a, b, found)) > 0 {
		return false
	}
	dashes, others := 0, 0
	for _, m := range marks {
		if m.x0 < a.x1 || m.x1 > b.x0 || float64(m.y1) < a.top || float64(m.y0) > a.top+h {
			continue
		}
		if middle := (float64(m.y0+m.y1)/2 - a.top) / h; m.h() < dashHeight*h && m.w() >= m.h() && middle > 0.3 && middle < 0.8 && m.light == a.light {
			dashes++
		} else {
			others++
		}
	}
	return others == 0 && (dashes == 1 || dashes == 0 && (gap > 0.75*h || a.light != b.light))
}

// beside is the word next to a digit on its line, to the left or to the right; nil if something else is.
func nextWord(t *token, found []token, right bool) *token {
	var next *token
	at := 6 * t.height
	for i := range found {
		o := &found[i]
		gap := float64(t.x0 - o.x1)
		if right {
			gap = float64(o.x0 - t.x1)
		}
		if o != t && gap > -2 && gap < at && onLine(t, o) && o.height > 0.55*t.height {
			next, at = o, gap
		}
	}
	if next == nil || next.kind != word {
		return nil
	}
	return next
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
	if down := b.top - a.top; down < 1.15*h || down > 3.2*h || math.Abs(float64(a.x0+a.x1-b.x0-b.x1))/2 > 0.4*h {
		return false
	}
	for _, right := range []bool{false, true} {
		u, v := nextWord(a, found, right), nextWord(b, found, right)
		if u != nil && v != nil && alike(u, v) && (math.Abs(float64(u.x0-v.x0)) < 0.6*h || math.Abs(float64(u.x1-v.x1)) < 0.6*h) {
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
