package main

import (
	"image"
	"math"
	"math/rand/v2"

	"github.com/found-footy/found-footy/internal/recognize/clockface"
	"github.com/found-footy/found-footy/tools/clockfont/typeface"
)

// drawLetter makes a patch of each character of a standing text, with the errors of a cell whose edges were found in the picture; some
// of them show no character alone.
func drawLetter(set typeface.Set, r *rand.Rand) (out []sample) {
	text := label(r)
	line, long := set.Line(string(text), typeface.Spacing{Loose: in(r, -0.04, 0.25)})
	if len(line) != len(text) {
		return nil
	}
	top, height := span(set, text)
	if r.IntN(8) == 0 {
		k := r.IntN(len(text))
		text[k], line[k] = ' ', blot(line[k], height, r)
	}
	sides := math.Inf(1) // of the box
	if r.IntN(2) == 0 {
		sides = fine * in(r, 0.1, 0.8)
	}
	sc, ok := newScene(set, line, long, 0.75, sides, r)
	if !ok {
		return nil
	}
	h, slip := height*sc.scale, 0.12*height*sc.scale
	for i, c := range text {
		class := clockface.LetterClass(c)
		spoilt := r.IntN(4) == 0
		left, right := inked(line[i])
		x0, x1, y, h := sc.x(left), sc.x(right), sc.y(top), h
		if spoilt {
			class = clockface.NoLetter
			x0, x1, y, h = spoil(sc, line, i, [4]float64{x0, x1, y, h}, r)
		}
		x0, x1 = x0+in(r, -slip, 0.8*slip), x1+in(r, -0.8*slip, slip)
		cell := clockface.LetterCell(x0, max(x0+1, x1), y+h*in(r, -0.09, 0.09), h*in(r, 0.9, 1.12))
		out = sc.cut(out, cell, class, class == clockface.NoLetter, r)
	}
	return out
}

// label chooses a text.
func label(r *rand.Rand) []rune {
	b := make([]rune, 2+r.IntN(5))
	for i := range b {
		b[i] = rune('A' + r.IntN(26))
	}
	digit := func() rune { return rune('0' + r.IntN(10)) }
	some := r.IntN(len(b))
	switch k := r.IntN(100); {
	case k < 24: // a score, or a number
		b = b[:1+r.IntN(2)]
		for i := range b {
			b[i] = digit()
		}
	case k < 34: // 1T, 2ND
		b = b[:2+r.IntN(len(b)-1)]
		b[0] = digit()
	case k < 40:
		b = []rune{digit(), []rune("ºª°")[r.IntN(3)]}
	case k < 46:
		b[some] = []rune("-:.+'")[r.IntN(5)]
	case k < 72: // those that look like digits, like parts of others, or like several
		b[some] = []rune("IJLTFOQBSZGDMMNWWVUH")[r.IntN(20)]
	}
	return b
}

// span is where the capitals, or else the digits, of a text lie.
func span(set typeface.Set, text []rune) (top, height float64) {
	for _, c := range text {
		if g, ok := set.Glyphs['H']; ok && c >= 'A' && c <= 'Z' {
			return g.Y, float64(g.Ink.Rect.Dy())
		}
	}
	return 0, set.Height
}

func inked(p typeface.Placed) (left, right float64) {
	left = p.Pen + p.X
	return left, left + float64(p.Ink.Rect.Dx())
}

// spoil moves the edges of a cell (left, right, top, height) until it shows no character alone.
func spoil(sc scene, line []typeface.Placed, middle int, at [4]float64, r *rand.Rand) (x0, x1, y, h float64) {
	x0, x1, y, h = at[0], at[1], at[2], at[3]
	wide := x1 - x0
	next := func(by int) (float64, float64, bool) {
		if k := middle + by; k >= 0 && k < len(line) {
			from, to := inked(line[k])
			return sc.x(from), sc.x(to), true
		}
		return 0, 0, false
	}
	switch k := r.IntN(12); k {
	case 0, 1: // a part of it
		cut := wide * in(r, 0.35, 0.65)
		if k == 0 {
			return x0 + cut, x1, y, h
		}
		return x0, x1 - cut, y, h
	case 2, 3, 4: // two of them
		if _, to, ok := next(1); ok {
			return x0, to, y, h
		}
	case 5, 6: // with half of the next
		if from, to, ok := next(1); ok {
			return x0, (from + to) / 2, y, h
		}
		if from, to, ok := next(-1); ok {
			return (from + to) / 2, x1, y, h
		}
	case 7: // half of it, and half of the next
		if from, to, ok := next(1); ok {
			return (x0 + x1) / 2, (from + to) / 2, y, h
		}
	case 8:
		return x0, x1, y + h*in(r, 0.35, 0.7)*float64(r.IntN(2)*2-1), h
	case 9:
		return x0, x1, y + h*in(r, 0, 0.4), h * in(r, 0.4, 0.6)
	case 10:
		return x0 - wide*0.3, x1 + wide*0.3, y - h*in(r, 0.2, 0.6), h * in(r, 1.6, 2)
	}
	end := sc.x(line[len(line)-1].Right) + h*in(r, 0.3, 2)
	return end, end + h*in(r, 0.2, 0.9), y, h
}

// blot is a mark in the place of a character: a disc, a box, a wedge, strokes.
func blot(p typeface.Placed, height float64, r *rand.Rand) typeface.Placed {
	w, h := int(height*in(r, 0.3, 1.1)), int(height*in(r, 0.8, 1.15))
	ink := image.NewAlpha(image.Rect(0, 0, w, h))
	how := r.IntN(4)
	a, b := in(r, 0, 1), in(r, 0.1, 0.4)
	for y := range h {
		for x := range w {
			u, v := (float64(x)+0.5)/float64(w), (float64(y)+0.5)/float64(h)
			var on bool
			switch how {
			case 0:
				on = math.Hypot(u-0.5, v-0.5) < 0.5
			case 1:
				on = true
			case 2:
				on = math.Abs(u-a*v-(1-a)/2) < v/2
			default:
				on = math.Mod(u+a*v, 2*b) < b
			}
			if on {
				ink.Pix[y*ink.Stride+x] = 255
			}
		}
	}
	p.Ink, p.X, p.Y = ink, 0, 0
	return p
}
