package main

import (
	"bytes"
	"image"
	"image/jpeg"
	"math"
	"math/rand/v2"

	"github.com/found-footy/found-footy/internal/recognize/clockface"
	"github.com/found-footy/found-footy/tools/clockfont/typeface"
)

// fine is how high digits are drawn before they are shrunk to the size of a broadcast.
const fine = 40

// sample is one patch and what it shows. The spread of a patch is 1, so 40 steps for it are enough.
type sample struct {
	patch [clockface.PatchWidth * clockface.PatchHeight]int8
	class uint8
}

const steps = 40

func (s *sample) unpack(out *clockface.Patch) {
	for i, v := range s.patch {
		out[i] = float32(v) / steps
	}
}

// draws makes some patches of a font; none where it has not the letters.
type draws func(set typeface.Set, r *rand.Rand) []sample

// samples draws n patches of a face.
func samples(face typeface.Face, draw draws, n int, r *rand.Rand) ([]sample, error) {
	set, err := face.Set(fine)
	if err != nil {
		return nil, err
	}
	out := make([]sample, 0, n)
	for len(out) < n {
		out = append(out, draw(set, r)...)
	}
	return out[:n], nil
}

func in(r *rand.Rand, lo, hi float64) float64 { return lo + r.Float64()*(hi-lo) }

// draw makes one patch: a piece of a clock line on a bar, shrunk, compressed, and cut with the errors of a box that was
// found and not known.
func draw(set typeface.Set, r *rand.Rand) []sample {
	sp := typeface.Spacing{Even: r.IntN(5) > 0, Loose: in(r, -0.03, 0.12)}
	text, middle, class := words(r)
	line, long := set.Line(text, sp)
	if len(line) != len(text) {
		return nil // a font without this letter
	}
	sc, ok := newScene(set, line, long, 0.88, math.Inf(1), r)
	if !ok {
		return nil
	}
	from, to := set.Ink(sp)
	c := line[middle]
	cell := clockface.Cell{X: sc.x(c.Left + from), Y: sc.y(0), W: (to - from) * sc.scale * sc.stretch, H: fine * sc.scale}
	if class == clockface.Colon || class == clockface.Plus {
		cell.X = sc.x((c.Left+c.Right)/2) - cell.W/2
	}
	disturb(&cell, class, sc.x(long), r)
	return sc.cut(nil, cell, class, class == clockface.None, r)
}

// cut adds the patch of a cell; of what is no glyph it takes the negative now and then.
func (sc scene) cut(out []sample, cell clockface.Cell, class int, none bool, r *rand.Rand) []sample {
	sign := float32(1)
	if none && r.IntN(3) == 0 {
		sign = -1
	}
	patch, ok := clockface.Cut(sc.Plane, cell, sign)
	if !ok {
		return out
	}
	s := sample{class: uint8(class)}
	for i, v := range patch {
		s.patch[i] = int8(math.Round(float64(v) * steps))
	}
	return append(out, s)
}

// scene is a line of text in a picture, at the size of a broadcast.
type scene struct {
	clockface.Plane
	ox, oy, scale, stretch float64 // where the text begins, and how it was shrunk
}

func (sc scene) x(fine float64) float64 { return (sc.ox + fine) * sc.scale * sc.stretch }
func (sc scene) y(fine float64) float64 { return (sc.oy + fine) * sc.scale }

// newScene puts a line on a bar that goes on so far to both sides, shrinks and compresses it.
func newScene(set typeface.Set, line []typeface.Placed, long, narrow, sides float64, r *rand.Rand) (scene, bool) {
	height := 4.6 * math.Exp(in(r, 0, math.Log(22/4.6)))
	scale := height / set.Height
	stretch := in(r, narrow, 1.15) // pictures of another shape, and condensed cuts
	light, dark := in(r, 60, 255), in(r, 0, 200)
	if light-dark < 30 {
		return scene{}, false
	}
	margin := 0.9 * fine
	w, h := int(math.Ceil((long+2*margin)*scale*stretch)), int(math.Ceil((fine+2*margin)*scale))
	ox, oy := margin+in(r, 0, 1)/scale, margin+in(r, 0, 1)/scale
	wide, high := int(float64(w)/scale/stretch)+1, int(float64(h)/scale)+1
	ink := make([]float32, wide*high)
	for _, p := range line {
		lay(ink, wide, high, p, ox, oy)
	}
	// A bar is lower than the picture around it, often by little.
	top, bottom := oy-fine*in(r, 0.12, 1.2), oy+fine*(1+in(r, 0.12, 1.2))
	above, below := in(r, 0, 255), in(r, 0, 255)
	slope := in(r, -0.15, 0.15) * (light - dark) / fine
	for y := range high {
		for x := range wide {
			ground := dark + slope*(float64(y)-oy)
			if float64(y) < top {
				ground = above
			} else if float64(y) > bottom || float64(x) < ox-sides || float64(x) > ox+long+sides {
				ground = below
			}
			i := y*wide + x
			ink[i] = float32(ground + float64(ink[i])/255*(light-ground))
		}
	}
	p := shrink(ink, wide, high, w, h)
	if r.IntN(3) > 0 {
		soften(p, in(r, 0.2, 0.9)*min(1, height/9))
	}
	negative := r.IntN(2) == 0
	compress(p, r, negative)
	return scene{p, ox, oy, scale, stretch}, true
}

// words chooses a piece of text, the character in the middle of the patch, and its class.
func words(r *rand.Rand) (text string, middle, class int) {
	digit := func() byte { return byte('0' + r.IntN(10)) }
	letter := func() byte { return byte('A' + r.IntN(26)) }
	d := digit()
	class = int(d - '0')
	switch k := r.IntN(100); {
	case k < 23: // the seconds' unit
		return string([]byte{digit(), ':', digit(), d}), 3, class
	case k < 41:
		return string([]byte{digit(), ':', d, digit()}), 2, class
	case k < 55:
		return string([]byte{digit(), d, ':', digit()}), 1, class
	case k < 68:
		return string([]byte{d, digit(), ':', digit()}), 0, class
	case k < 75:
		return string([]byte{digit(), ':', digit()}), 1, clockface.Colon
	case k < 90: // between two glyphs, or not at their height: disturb moves the cell
		return string([]byte{digit(), digit(), ':', digit(), digit()}), r.IntN(5), clockface.None
	case k < 96:
		return string([]byte{letter(), letter(), letter()}), 1, clockface.None
	case k < 97: // letters before a digit, and signs
		return string([]byte{letter(), "-'."[r.IntN(3)], digit()}), 1, clockface.None
	}
	text = string([]byte{digit(), '+', digit(), digit()})
	if r.IntN(2) == 0 {
		return text[1:], 0, clockface.Plus
	}
	return text, 1, clockface.Plus
}

// disturb moves the cell as an imperfect box does; a None that shows a digit is moved until it shows none.
func disturb(c *clockface.Cell, class int, end float64, r *rand.Rand) {
	w, h := c.W, c.H
	sx, sy := in(r, 0.84, 1.2), in(r, 0.86, 1.18)
	c.X += w*in(r, -0.12, 0.12) + w*(1-sx)/2
	c.Y += h*in(r, -0.09, 0.09) + h*(1-sy)/2
	c.W, c.H = w*sx, h*sy
	if class != clockface.None {
		return
	}
	switch k := r.IntN(12); k {
	case 0, 1, 2, 3, 4, 5: // half of one glyph and half of the next: it often looks like a third
		c.X += w * in(r, 0.36, 0.62) * float64(k%2*2-1)
	case 6:
		c.Y += h * in(r, 0.35, 0.7)
	case 7:
		c.Y -= h * in(r, 0.35, 0.7)
	case 8:
		c.W, c.H, c.Y = w*2.2, h*1.6, c.Y-h*0.3
	case 9:
		c.W, c.H, c.Y, c.X = w*0.55, h*0.55, c.Y+h*in(r, 0, 0.45), c.X+w*in(r, 0, 0.45)
	default:
		c.X = end + w*in(r, 0, 3) // beside the text: the bar, the noise of compression
	}
}

// lay puts the ink of a character on the canvas.
func lay(to []float32, wide, high int, p typeface.Placed, ox, oy float64) {
	x0, y0 := int(math.Round(ox+p.Pen+p.X)), int(math.Round(oy+p.Y))
	for y := range p.Ink.Rect.Dy() {
		for x := range p.Ink.Rect.Dx() {
			if X, Y := x0+x, y0+y; X >= 0 && Y >= 0 && X < wide && Y < high {
				i := Y*wide + X
				to[i] = max(to[i], float32(p.Ink.Pix[y*p.Ink.Stride+x]))
			}
		}
	}
}

// shrink averages a picture down.
func shrink(pix []float32, wide, high, w, h int) clockface.Plane {
	rows := clockface.NewPlane(wide, h)
	average(rows.Pix, pix, wide, high, h, wide, 1, 1)
	out := clockface.NewPlane(w, h)
	average(out.Pix, rows.Pix, h, wide, w, 1, w, wide)
	return out
}

// average brings lines of so many pixels down to fewer, each by the share of the pixels it covers.
func average(out, in []float32, lines, from, to, step, outLine, inLine int) {
	for k := range lines {
		for i := range to {
			a, b := float64(i)*float64(from)/float64(to), float64(i+1)*float64(from)/float64(to)
			var sum, weight float64
			for j := int(a); j < from && float64(j) < b; j++ {
				w := math.Min(b, float64(j+1)) - math.Max(a, float64(j))
				v := in[k*inLine+j*step]
				sum += w * float64(v)
				weight += w
			}
			out[k*outLine+i*step] = float32(sum / weight)
		}
	}
}

// soften blurs with a bell so wide.
func soften(p clockface.Plane, sigma float64) {
	side := float32(math.Exp(-1 / (2 * sigma * sigma)))
	whole := 1 + 2*side
	tmp := make([]float32, len(p.Pix))
	at := func(pix []float32, x, y int) float32 {
		return pix[min(max(y, 0), p.H-1)*p.W+min(max(x, 0), p.W-1)]
	}
	for y := range p.H {
		for x := range p.W {
			tmp[y*p.W+x] = (at(p.Pix, x, y) + side*(at(p.Pix, x-1, y)+at(p.Pix, x+1, y))) / whole
		}
	}
	for y := range p.H {
		for x := range p.W {
			p.Pix[y*p.W+x] = (at(tmp, x, y) + side*(at(tmp, x, y-1)+at(tmp, x, y+1))) / whole
		}
	}
}

// compress adds noise and takes a picture through JPEG, which spoils small glyphs as a video codec does.
func compress(p clockface.Plane, r *rand.Rand, negative bool) {
	noise := in(r, 0, 5)
	img := image.NewGray(image.Rect(0, 0, p.W, p.H))
	for i, v := range p.Pix {
		v += float32(r.NormFloat64() * noise)
		if negative {
			v = 255 - v
		}
		img.Pix[i] = byte(min(255, max(0, v)))
	}
	if r.IntN(5) > 0 {
		var buf bytes.Buffer
		if err := jpeg.Encode(&buf, img, &jpeg.Options{Quality: 15 + r.IntN(75)}); err == nil {
			if back, err := jpeg.Decode(&buf); err == nil {
				img = back.(*image.Gray)
			}
		}
	}
	for y := range p.H {
		for x := range p.W {
			v := float32(img.Pix[y*img.Stride+x])
			if negative {
				v = 255 - v
			}
			p.Pix[y*p.W+x] = v
		}
	}
}
