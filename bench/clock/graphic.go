package main

import (
	"math"
	"strings"

	"github.com/found-footy/found-footy/tools/clockfont/typeface"
)

// finer is how much larger graphics are drawn than they are shown: broadcasters draw theirs for 1080 lines and more.
const finer = 3

// piece is a part where it stands, in fine pixels.
type piece struct {
	part
	set               typeface.Set
	sp                typeface.Spacing
	x, y, w, h        float64 // of its box
	ground, ink, full float32 // full is how much its box hides
}

// graphic is a score bug, or what looks like one.
type graphic struct {
	pieces []piece
	say    func(text string, t float64) string
	x, y   float64 // in the picture
	w, h   float64 // in fine pixels
	unit   float64 // the height of the clock's digits in fine pixels
	u, v   byte
	from   float64 // seconds; it slides in later in some clips
	drawn  string
	layer  layer
}

// layer is a drawn graphic at the size of the picture.
type layer struct {
	x, y, w, h   int
	light, alpha []float32
}

// graphic draws up the score bug of a clip.
func (k clip) graphic() (*graphic, error) {
	set, err := k.face.Set(k.Digits * finer)
	if err != nil {
		return nil, err
	}
	d := roll(k.seed, k.File, "graphic")
	g := &graphic{say: k.words(), unit: set.Height, u: byte(d.in(90, 166)), v: byte(d.in(90, 166)), from: k.From}
	loose, side := d.in(-0.01, 0.1), d.in(0.3, 0.6)
	for _, p := range k.design.parts {
		piece := piece{part: p, set: set, sp: typeface.Spacing{Even: !k.design.uneven, Loose: loose}}
		if p.size > 0 {
			if piece.set, err = k.face.Set(k.Digits * finer * p.size); err != nil {
				return nil, err
			}
		}
		c := roll(k.seed, k.File, p.tone.name)
		piece.ground, piece.ink, piece.full = float32(c.in(p.tone.ground[0], p.tone.ground[1])), float32(c.in(p.tone.ink[0], p.tone.ink[1])), float32(c.in(p.tone.opaque[0], p.tone.opaque[1]))
		g.put(piece, k.Seconds, side)
	}
	W, H := float64(k.manner.lines*16/9), float64(k.manner.lines)
	g.x, g.y = H*d.in(0.05, 0.2), H*d.in(0.05, 0.12)
	corner := d.IntN(6)
	if k.manner.cut == 0 && corner == 0 {
		g.x = W - g.x - g.w/finer
	}
	if corner == 1 {
		g.y = H - g.y - g.h/finer
	}
	return g, nil
}

// put adds a piece beside or below an earlier one.
func (g *graphic) put(p piece, seconds, side float64) {
	unit, wide := g.unit, 0.0
	for _, t := range []float64{0, seconds} {
		text := g.say(p.text, t)
		if p.text == "{clock}" {
			text = strings.Map(func(r rune) rune {
				if r >= '0' && r <= '9' {
					return '0' // its box does not change with its digits
				}
				return r
			}, text)
		}
		if _, long := p.set.Line(text, p.sp); text != "" {
			wide = max(wide, long+2*side*unit)
		}
	}
	var beside piece
	if n := len(g.pieces); n > 0 {
		beside = g.pieces[n-1-p.back]
	}
	p.x, p.y = beside.x+beside.w, beside.y
	if p.below {
		p.x, p.y = beside.x, beside.y+beside.h
	}
	if wide > 0 {
		p.w, p.h = max(wide, p.wide*unit), p.high*unit
		if p.high == 0 && !p.below {
			p.h = beside.h
		}
		if p.h == 0 {
			p.h = max(1.9*unit, p.set.Height+0.7*unit)
		}
		if p.below {
			p.y += p.gap * unit
		} else {
			p.x += p.gap * unit
		}
	} else if !p.below {
		p.h = beside.h
	}
	g.w, g.h = max(g.w, p.x+p.w), max(g.h, p.y+p.h)
	g.pieces = append(g.pieces, p)
}

// line lays out what a piece says and returns where in the graphic its text begins.
func (g *graphic) line(p piece, t float64) (line []typeface.Placed, x, y float64) {
	line, long := p.set.Line(g.say(p.text, t), p.sp)
	pad := (p.h - p.set.Height) / 2
	return line, p.x + max(0, min(pad, (p.w-long)/2))*(1-2*p.align) + (p.w-long)*p.align, p.y + pad
}

// column is the column of the picture through a character of the clock.
func (g *graphic) column(character float64) int {
	for _, p := range g.pieces {
		line, x, _ := g.line(p, 0)
		if p.text == "{clock}" && len(line) > int(character) {
			c := line[int(character)]
			return int(g.x + (x+c.Left+(character-math.Floor(character))*(c.Right-c.Left))/finer)
		}
	}
	return 0
}

func (g *graphic) state(t float64) string {
	s := ""
	for _, p := range g.pieces {
		s += g.say(p.text, t) + "|"
	}
	return s
}

func (g *graphic) lay(p *picture, t float64) {
	if t < g.from {
		return
	}
	if s := g.state(t); s != g.drawn {
		g.layer, g.drawn = g.render(t), s
	}
	l := g.layer
	for y := range l.h {
		for x := range l.w {
			X, Y := l.x+x, l.y+y
			a := l.alpha[y*l.w+x]
			if X < 0 || Y < 0 || X >= p.w || Y >= p.h || a == 0 {
				continue
			}
			i := Y*p.w + X
			p.y[i] = byte(float32(p.y[i])*(1-a) + l.light[y*l.w+x]*a + 0.5)
			if X%2 == 0 && Y%2 == 0 {
				c := Y/2*p.w/2 + X/2
				p.u[c] = byte(float32(p.u[c])*(1-a) + float32(g.u)*a)
				p.v[c] = byte(float32(p.v[c])*(1-a) + float32(g.v)*a)
			}
		}
	}
}

// canvas is a graphic in fine pixels.
type canvas struct {
	w, h         int
	light, alpha []float32
}

// ink lays one tone over another.
func (c *canvas) ink(x, y int, light, a float32) {
	if a == 0 || x < 0 || y < 0 || x >= c.w || y >= c.h {
		return
	}
	i := y*c.w + x
	all := a + c.alpha[i]*(1-a)
	c.light[i] = (light*a + c.light[i]*c.alpha[i]*(1-a)) / all
	c.alpha[i] = all
}

func (c *canvas) write(line []typeface.Placed, x, y float64, light, strength float32) {
	for _, g := range line {
		cx, cy := int(math.Round(x+g.Pen+g.X)), int(math.Round(y+g.Y))
		for j := range g.Ink.Rect.Dy() {
			for i := range g.Ink.Rect.Dx() {
				c.ink(cx+i, cy+j, light, float32(g.Ink.Pix[j*g.Ink.Stride+i])/255*strength)
			}
		}
	}
}

// render draws the graphic large and averages it down, where it lies between pixels.
func (g *graphic) render(t float64) layer {
	x0, y0 := math.Floor(g.x), math.Floor(g.y)
	ox, oy := (g.x-x0)*finer, (g.y-y0)*finer
	l := layer{x: int(x0), y: int(y0), w: int((g.w+ox)/finer) + 3, h: int((g.h+oy)/finer) + 3}
	c := canvas{w: l.w * finer, h: l.h * finer}
	c.light, c.alpha = make([]float32, c.w*c.h), make([]float32, c.w*c.h)
	for _, p := range g.pieces {
		for y := int(p.y + oy); y < int(p.y+p.h+oy); y++ {
			for x := int(p.x + ox); x < int(p.x+p.w+ox); x++ {
				c.ink(x, y, p.ground, p.full)
			}
		}
		line, x, y := g.line(p, t)
		if p.tone.shadow {
			c.write(line, x+ox+0.08*p.set.Height, y+oy+0.08*p.set.Height, 20, 0.6)
		}
		c.write(line, x+ox, y+oy, p.ink, 1)
	}
	l.light, l.alpha = make([]float32, l.w*l.h), make([]float32, l.w*l.h)
	for y := range l.h {
		for x := range l.w {
			var s, a float32
			for j := range finer {
				for i := range finer {
					k := (y*finer+j)*c.w + x*finer + i
					s += c.light[k] * c.alpha[k]
					a += c.alpha[k]
				}
			}
			if a > 0 {
				l.light[y*l.w+x] = s / a
			}
			l.alpha[y*l.w+x] = a / finer / finer
		}
	}
	return l
}
