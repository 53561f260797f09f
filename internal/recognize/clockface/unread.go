package clockface

import (
	"math"
	"slices"
)

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
