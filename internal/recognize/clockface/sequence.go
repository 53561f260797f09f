package clockface

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// least is what one glance can count against a reading at most: one spoilt second must not sink it.
const least = -5

// sequence is the unit digit through all seconds.
type sequence struct {
	cell   Cell
	ink    float32
	scores []Scores // one a second; averaged over several boxes
	seen   []bool   // a digit stands there in that second
	start  int      // digit of the first second
	mean   float64  // mean score of the seconds in which it is seen
	margin float64  // over the second-best start, all seconds together
	down   float64  // mean score as a clock that counts down
}

// readUnits reads the beating cell as digits that follow one another.
func readUnits(g *Glyphs, s *strip, looks []sequence) (sequence, bool) {
	for i := range looks {
		q := &looks[i]
		q.scores = glances(g, s, q.cell, q.ink)
		q.judge()
	}
	best := slices.MaxFunc(looks, func(a, b sequence) int { return cmp.Compare(a.worth(), b.worth()) })
	if best.worth() < -2.6 {
		return best, false
	}
	kept := []sequence{best}
	for _, m := range [][4]float64{{0, 0, 0.86, 1}, {0, 0, 1.16, 1}, {0, 0, 1, 0.88}, {0, 0, 1, 1.13}, {-0.12, 0, 1, 1}, {0.12, 0, 1, 1}, {0, -0.08, 1, 1}, {0, 0.08, 1, 1}} {
		c := best.cell.moved(m[0], m[1], m[2], m[3])
		q := sequence{cell: c, ink: best.ink, scores: glances(g, s, c, best.ink)}
		q.judge()
		kept = append(kept, q)
		if q.worth() > best.worth() {
			best = q
		}
	}
	slices.SortStableFunc(kept, func(a, b sequence) int { return cmp.Compare(b.worth(), a.worth()) })
	kept = kept[:min(5, len(kept))]
	all := sequence{cell: kept[0].cell, ink: kept[0].ink, scores: make([]Scores, len(s.seconds))}
	for k := range all.scores {
		for _, q := range kept {
			for c, v := range q.scores[k] {
				all.scores[k][c] += v / float32(len(kept))
			}
		}
	}
	all.judge()
	return all, true
}

// glance is of how many seconds one is looked at to see whether a place shows digits.
const glance = 2

// promising are the boxes, dark or light, that show a digit in some of the seconds that were looked at. Those that are returned are places in the picture,
// as the boxes are; near is the part of it that the strip shows.
func promising(g *Glyphs, s *strip, boxes []Cell, near box) (out []sequence) {
	for _, in := range boxes {
		c := in
		c.X -= float64(near.x0)
		c.Y -= float64(near.y0)
		for _, ink := range []float32{1, -1} {
			digits := 0
			for k := 0; k < len(s.seconds); k += glance {
				if patch, ok := Cut(s.seconds[k], c, ink); ok && !none(g.Read(&patch)) {
					digits++
				}
			}
			if digits >= minSeconds/2 {
				out = append(out, sequence{cell: in, ink: ink})
			}
		}
	}
	return out
}

// glances reads one box in every second.
func glances(g *Glyphs, s *strip, c Cell, ink float32) []Scores {
	out := make([]Scores, len(s.seconds))
	for k, p := range s.seconds {
		out[k] = blank()
		if patch, ok := Cut(p, c, ink); ok {
			out[k] = g.Read(&patch)
			for i, v := range out[k] {
				out[k][i] = max(v, least)
			}
		}
	}
	return out
}

// blank is what an even shade says.
func blank() (s Scores) {
	for c := range s {
		s[c] = least
	}
	s[None] = 0
	return s
}

// worth orders readings of one place, whichever way it counts.
func (q sequence) worth() float64 { return max(q.mean, q.down) }

// judge finds the best start, and how much better it is than the next.
func (q *sequence) judge() {
	var up, down [10]float64
	q.seen = make([]bool, len(q.scores))
	n := 0
	for k, s := range q.scores {
		q.seen[k] = !none(s)
		if !q.seen[k] {
			continue
		}
		n++
		for d := range 10 {
			up[d] += float64(s[(d+k)%10])
			down[d] += float64(s[(d-k%10+10)%10])
		}
	}
	q.start = 0
	for d := range up {
		if up[d] > up[q.start] {
			q.start = d
		}
	}
	second, lower := math.Inf(-1), math.Inf(-1)
	for d := range up {
		if d != q.start {
			second = max(second, up[d])
		}
		lower = max(lower, down[d])
	}
	if n == 0 {
		q.mean, q.margin, q.down = least, 0, least
		return
	}
	// Seconds without a digit count too, or one lucky second would be worth most.
	void := float64(len(q.scores)-n) * least
	q.mean, q.down = (up[q.start]+void)/float64(len(q.scores)), (lower+void)/float64(len(q.scores))
	q.margin = up[q.start] - second
}

// trim keeps the longest stretch in which the digits follow one another, one spoilt second at a time left aside: before and
// after it there may be a replay, or another clip with a clock of its own.
func (q *sequence) trim() {
	best, length := 0, 0
	from, last := -1, -1
	for k := range q.scores {
		if !q.follows(k) {
			continue
		}
		if from < 0 || k-last > 2 {
			from = k
		}
		last = k
		if k-from+1 > length {
			best, length = from, k-from+1
		}
	}
	for k := range q.seen {
		q.seen[k] = q.seen[k] && k >= best && k < best+length
	}
}

// follows: a second shows the digit that the order wants.
func (q *sequence) follows(k int) bool {
	return q.seen[k] && best(q.scores[k][:Colon]) == (q.start+k)%10
}

// none reports whether a glance sees no digit.
func none(s Scores) bool {
	b := s.Best()
	return b >= Colon
}

// agreeing counts seconds whose digit is the one that the order wants, and those that show a digit.
func (q *sequence) agreeing() (right, seen int) {
	for k := range q.scores {
		if q.seen[k] {
			seen++
		}
		if q.follows(k) {
			right++
		}
	}
	return right, seen
}

// String shows what each second was read as, alone, and what the order says.
func (q *sequence) String() string {
	var b strings.Builder
	for _, s := range q.scores {
		b.WriteByte("0123456789:+."[s.Best()])
	}
	right, seen := q.agreeing()
	fmt.Fprintf(&b, " from %d: %d of %d, mean %.2f, margin %.1f, down %.1f", q.start, right, seen, q.mean, q.margin, q.down)
	return b.String()
}

// mostUnread is in how many seconds a clock may show digits that fit into nothing that was read.
const mostUnread = 2

// digit is a second that shows another one than the second before, where a clock may be.
type digit struct {
	x, y float64 // middle of its cell in the picture
	at   float64 // seconds into the clip
}

// digits lists them for a strip that begins so many looks into the clip. One that stands is none: a film may end with a still.
func (q *sequence) digits(s *strip, whole box, before int) []digit {
	var out []digit
	last := None
	for k, scores := range q.scores {
		best := scores.Best()
		if !none(scores) && best != last {
			out = append(out, digit{x: float64(whole.x0) + q.cell.X + q.cell.W/2, y: float64(whole.y0) + q.cell.Y + q.cell.H/2, at: (s.at(k) + float64(before)) / Rate})
		}
		last = best
	}
	return out
}

// unread counts the seconds in which digits change where a clock was read, and nothing was.
func (r *Reader) unread() int {
	missed := map[int]bool{}
	for _, d := range r.digits {
		near := func(s sight) bool {
			return math.Abs(d.x-s.cell.X-s.cell.W/2) < s.cell.W && math.Abs(d.y-s.cell.Y-s.cell.H/2) < s.cell.H
		}
		read := func(s sight) bool {
			return slices.ContainsFunc(s.at, func(at float64) bool { return math.Abs(at-d.at) < 1.2 })
		}
		if slices.ContainsFunc(r.found, near) && !slices.ContainsFunc(r.found, read) {
			missed[int(d.at)] = true
		}
	}
	return len(missed)
}
