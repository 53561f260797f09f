package sight

import (
	"image"
	"regexp"
	"slices"
	"strings"
)

// blob is a connected piece of ink.
type blob struct {
	box image.Rectangle
	ink int // pixels
}

// threshold parts light from dark: score graphics are one on the other.
const threshold = 128

// clocks finds printed clocks, light on dark and dark on light.
func (p *plane) clocks() []Text {
	var out []Text
	for _, light := range []bool{true, false} {
		var digits, dots []blob
		for _, b := range p.blobs(light) {
			w, h := b.box.Dx(), b.box.Dy()
			switch {
			case h >= 9 && h <= 90 && w <= h && 9*w >= h:
				digits = append(digits, b)
			case h <= 24 && w <= 2*h && h <= 2*w:
				dots = append(dots, b)
			}
		}
		out = append(out, p.lines(digits, dots, light)...)
	}
	slices.SortStableFunc(out, func(a, b Text) int { return b.Height - a.Height })
	return out
}

// blobs are the connected pieces of one tone that are no larger than letters.
func (p *plane) blobs(light bool) []blob {
	todo := make([]bool, len(p.pix)) // ink that belongs to no piece yet
	for i, v := range p.pix {
		todo[i] = v > threshold == light
	}
	var out []blob
	var stack []int
	take := func(i int) {
		if todo[i] {
			todo[i] = false
			stack = append(stack, i)
		}
	}
	for start := range p.pix {
		if !todo[start] {
			continue
		}
		take(start)
		b := blob{box: image.Rect(start%p.w, start/p.w, start%p.w+1, start/p.w+1)}
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			x, y := i%p.w, i/p.w
			b.ink++
			b.box.Min.X, b.box.Max.X = min(b.box.Min.X, x), max(b.box.Max.X, x+1)
			b.box.Min.Y, b.box.Max.Y = min(b.box.Min.Y, y), max(b.box.Max.Y, y+1)
			if x > 0 {
				take(i - 1)
			}
			if x < p.w-1 {
				take(i + 1)
			}
			if y > 0 {
				take(i - p.w)
			}
			if y < p.h-1 {
				take(i + p.w)
			}
		}
		if b.box.Dx() <= 100 && b.box.Dy() <= 100 {
			out = append(out, b)
		}
	}
	return out
}

var clock = regexp.MustCompile(`(?:^|[^0-9])(\d{1,3}:\d{2})(?:$|[^0-9:])`)

// lines joins digits that stand side by side into texts, and keeps the clocks among them.
func (p *plane) lines(digits, dots []blob, light bool) []Text {
	slices.SortFunc(digits, func(a, b blob) int { return a.box.Min.X - b.box.Min.X })
	used := make([]bool, len(digits))
	var out []Text
	for i := range digits {
		if used[i] {
			continue
		}
		used[i] = true
		first := digits[i].box
		text, last := p.digit(first, light), first
		for j := i + 1; j < len(digits); j++ {
			next := digits[j].box
			if next.Min.X-last.Max.X > first.Dy()*4/3 { // the colon of a mono font takes a whole letter
				break
			}
			if used[j] || !alike(first, next) || next.Min.X < last.Max.X {
				continue
			}
			if colon(dots, last, next) {
				text += ":"
			} else if next.Min.X-last.Max.X > first.Dy()*3/5 {
				text += " "
			}
			used[j] = true
			text, last = text+p.digit(next, light), next
		}
		if m := clock.FindStringSubmatch(strings.ReplaceAll(text, " ", "  ")); m != nil {
			out = append(out, Text{m[1], first.Min.Y, first.Dy()})
		}
	}
	return out
}

// alike: of the same height, on the same line.
func alike(a, b image.Rectangle) bool {
	off := max(1, a.Dy()/7)
	return abs(a.Min.Y-b.Min.Y) <= off && abs(a.Max.Y-b.Max.Y) <= off
}

// colon: two dots between two digits, one above the other.
func colon(dots []blob, left, right image.Rectangle) bool {
	n := 0
	for _, d := range dots {
		at := d.box.Min.Add(d.box.Max).Div(2)
		if d.box.Dy()*3 <= left.Dy() && at.X >= left.Max.X-1 && at.X <= right.Min.X && at.Y > left.Min.Y && at.Y <= left.Max.Y {
			n++
		}
	}
	return n == 2
}

func abs(n int) int { return max(n, -n) }
