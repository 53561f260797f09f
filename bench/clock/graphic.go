package main

import (
	"fmt"
	"math"

	"github.com/found-footy/found-footy/tools/clockfont/typeface"
)

// finer is how much larger graphics are drawn than they are shown: broadcasters draw theirs for 1080 lines and more.
const finer = 3

// piece is a text of a graphic, on a bar of its own or on its neighbour's.
type piece struct {
	says   func(t float64) string
	set    typeface.Set
	sp     typeface.Spacing
	x, y   float64 // of the digits' upper left corner, in fine pixels
	wide   float64 // of its bar
	pad    float64 // above and below
	ink    byte
	ground byte
}

// graphic is a score bug, or what looks like one.
type graphic struct {
	pieces []piece
	x, y   float64 // in the picture
	alpha  float64
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

// put adds a piece right of, or below, what there is.
func (g *graphic) put(p piece, below bool, gap float64) {
	_, long := p.set.Line(p.says(0), p.sp)
	p.pad = p.set.Height * 0.45
	side := p.set.Height * 0.5
	p.wide = long + 2*side
	if n := len(g.pieces); n > 0 {
		last := g.pieces[n-1]
		if below {
			p.x, p.y = g.pieces[0].x-g.pieces[0].set.Height*0.5+side, last.y+last.set.Height+last.pad+p.pad+gap
		} else {
			p.x, p.y = last.x-last.set.Height*0.5+last.wide+gap+side, last.y+(last.set.Height-p.set.Height)/2
			p.pad += (last.set.Height - p.set.Height) / 2 // bars side by side are equally high
		}
	} else {
		p.x, p.y = side, p.pad
	}
	g.pieces = append(g.pieces, p)
}

func (g *graphic) state(t float64) string {
	s := ""
	for _, p := range g.pieces {
		s += p.says(t) + "|"
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

// render draws the graphic large and averages it down, where it lies between pixels.
func (g *graphic) render(t float64) layer {
	wide, high := 0.0, 0.0
	for _, p := range g.pieces {
		wide, high = max(wide, p.x+p.wide), max(high, p.y+p.set.Height+p.pad)
	}
	x0, y0 := math.Floor(g.x), math.Floor(g.y)
	ox, oy := (g.x-x0)*finer, (g.y-y0)*finer
	l := layer{x: int(x0), y: int(y0), w: int((wide+ox)/finer) + 3, h: int((high+oy)/finer) + 3}
	W, H := l.w*finer, l.h*finer
	light, alpha := make([]float32, W*H), make([]float32, W*H)
	for _, p := range g.pieces {
		side := p.set.Height * 0.5
		for y := max(0, int(p.y-p.pad+oy)); y < min(H, int(p.y+p.set.Height+p.pad+oy)); y++ {
			for x := max(0, int(p.x-side+ox)); x < min(W, int(p.x-side+p.wide+ox)); x++ {
				light[y*W+x], alpha[y*W+x] = float32(p.ground), float32(g.alpha)
			}
		}
		line, _ := p.set.Line(p.says(t), p.sp)
		for _, c := range line {
			cx, cy := int(math.Round(p.x+ox+c.Pen+c.X)), int(math.Round(p.y+oy+c.Y))
			for y := range c.Ink.Rect.Dy() {
				for x := range c.Ink.Rect.Dx() {
					a := float32(c.Ink.Pix[y*c.Ink.Stride+x]) / 255
					X, Y := cx+x, cy+y
					if a == 0 || X < 0 || Y < 0 || X >= W || Y >= H {
						continue
					}
					i := Y*W + X
					light[i] = light[i]*(1-a) + float32(p.ink)*a
					alpha[i] = max(alpha[i], a)
				}
			}
		}
	}
	l.light, l.alpha = make([]float32, l.w*l.h), make([]float32, l.w*l.h)
	for y := range l.h {
		for x := range l.w {
			var s, a float32
			for j := range finer {
				for i := range finer {
					k := (y*finer+j)*W + x*finer + i
					s += light[k] * alpha[k]
					a += alpha[k]
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

func fixed(s string) func(float64) string { return func(float64) string { return s } }

// clockText writes seconds as broadcasters do.
func clockText(s int, short bool) string {
	if short {
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("%02d:%02d", s/60, s%60)
}

func running(start float64, short bool) func(float64) string {
	return func(t float64) string { return clockText(int(start+t), short) }
}

func teamName(d dice) string {
	b := make([]byte, 3)
	for i := range b {
		b[i] = byte('A' + d.IntN(26))
	}
	return string(b)
}
