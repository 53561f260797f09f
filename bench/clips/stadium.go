package main

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
)

// dice gives the same numbers for the same names on every machine.
type dice struct{ *rand.Rand }

func roll(names ...any) dice {
	h := fnv.New64a()
	fmt.Fprintln(h, names...)
	return dice{rand.New(rand.NewPCG(h.Sum64(), 0xf007))}
}

func (d dice) in(lo, hi float64) float64 { return lo + d.Float64()*(hi-lo) }

func (d dice) colour(lo, hi int) (c [3]byte) {
	for k := range c {
		c[k] = byte(lo + d.IntN(hi-lo+1))
	}
	return c
}

// path is a smooth way through time.
type path struct{ at0, speed, wide, slow, phase, small, fast float64 }

func (d dice) path(at0, speed, wide float64) path {
	return path{at0, speed, wide * d.in(0.4, 1), d.in(0.4, 1.3), d.in(0, 6.3), wide * d.in(0.05, 0.2), d.in(1.8, 4)}
}

func (p path) at(t float64) float64 {
	return p.at0 + p.speed*t + p.wide*math.Sin(p.slow*t+p.phase) + p.small*math.Sin(p.fast*t)
}

// picture is packed RGB.
type picture struct {
	w, h int
	pix  []byte
}

func newPicture(w, h int) *picture { return &picture{w, h, make([]byte, 3*w*h)} }

func (p *picture) box(x0, y0, x1, y1 int, c [3]byte) {
	x0, x1 = max(x0, 0), min(x1, p.w)
	for y := max(y0, 0); y < min(y1, p.h); y++ {
		for i := 3 * (y*p.w + x0); i < 3*(y*p.w+x1); i += 3 {
			p.pix[i], p.pix[i+1], p.pix[i+2] = c[0], c[1], c[2]
		}
	}
}

func (p *picture) disc(cx, cy, rx, ry float64, c [3]byte) {
	for y := int(cy - ry); y <= int(cy+ry); y++ {
		if d := (float64(y) - cy) / ry; d*d < 1 {
			half := rx * math.Sqrt(1-d*d)
			p.box(int(cx-half), y, int(cx+half)+1, y+1, c)
		}
	}
}

// window shows the part of a wide picture that is width wide from (x, y) on.
func (p *picture) window(from *picture, x, y, width float64, flip bool) {
	step := width / float64(p.w)
	cols := make([]int, p.w)
	for i := range cols {
		cols[i] = 3 * min(max(int(x+float64(i)*step), 0), from.w-1)
	}
	if flip {
		for i, j := 0, p.w-1; i < j; i, j = i+1, j-1 {
			cols[i], cols[j] = cols[j], cols[i]
		}
	}
	for r := range p.h {
		line := from.pix[3*from.w*min(max(int(y+float64(r)*step), 0), from.h-1):]
		out := p.pix[3*r*p.w:]
		for i, k := range cols {
			out[3*i], out[3*i+1], out[3*i+2] = line[k], line[k+1], line[k+2]
		}
	}
}

// segments of a seven-segment digit: top, upper right, lower right, bottom, lower left, upper left, middle.
var segments = [10]byte{0x3f, 0x06, 0x5b, 0x4f, 0x66, 0x6d, 0x7d, 0x07, 0x7f, 0x6f}

// digit draws one figure, k dots wide per stroke.
func (p *picture) digit(x, y, k, n int, c [3]byte) {
	strokes := [7][4]int{{0, 0, 4, 1}, {3, 0, 4, 4}, {3, 3, 4, 7}, {0, 6, 4, 7}, {0, 3, 1, 7}, {0, 0, 1, 4}, {0, 3, 4, 4}}
	for i, s := range strokes {
		if segments[n%10]>>i&1 == 1 {
			p.box(x+s[0]*k, y+s[1]*k, x+s[2]*k, y+s[3]*k, c)
		}
	}
}

const wideW, wideH, kerb = 2300, 1000, 360

// stadium is what the goals of one match share.
type stadium struct {
	wide   *picture
	shirts [2][3]byte
	sting  [2][3]byte
}

func newStadium(seed uint64, match int) *stadium {
	d := roll(seed, "stadium", match)
	s := &stadium{wide: newPicture(wideW, wideH), shirts: [2][3]byte{d.colour(120, 250), d.colour(0, 130)}}
	league := roll(seed, "league", match%2)
	s.sting = [2][3]byte{league.colour(30, 220), league.colour(30, 220)}
	s.stands(d)
	s.grass(d)
	for x := 0; x < wideW; { // advertising boards
		w := 90 + d.IntN(260)
		s.wide.box(x, kerb, x+w, kerb+42, d.colour(20, 235))
		for i := range 2 + d.IntN(5) {
			s.wide.digit(x+12+i*30, kerb+7, 4, d.IntN(10), d.colour(10, 250))
		}
		x += w
	}
	s.sun(d)
	return s
}

func (s *stadium) stands(d dice) {
	for y := 0; y < kerb; y += 8 {
		block, left := d.colour(40, 170), 0
		for x := 0; x < wideW; x += 7 {
			if left--; left < 0 {
				block, left = d.colour(40, 180), 20+d.IntN(40)
			}
			c := d.colour(20, 215)
			for k := range c {
				c[k] = byte((int(c[k])*2 + int(block[k])*3) / 5)
			}
			if y%96 < 10 {
				c = [3]byte{64, 64, 70}
			}
			s.wide.box(x, y, x+7, y+8, c)
		}
	}
}

func (s *stadium) grass(d dice) {
	base, stripe, lean, step := d.in(95, 140), d.in(80, 190), d.in(-0.6, 0.6), d.in(12, 34)
	for y := kerb; y < wideH; y++ {
		for x := range wideW {
			v := base - float64(y-kerb)/30 + float64((x*31+y*57+x*y)%7)
			if int(math.Floor((float64(x)+lean*float64(y))/stripe))%2 == 0 {
				v += step
			}
			i := 3 * (y*wideW + x)
			s.wide.pix[i], s.wide.pix[i+1], s.wide.pix[i+2] = byte(v*0.4), byte(v), byte(v*0.3)
		}
	}
	chalk := [3]byte{226, 230, 224}
	frame := func(x0, y0, x1, y1 int) {
		s.wide.box(x0, y0, x1, y0+5, chalk)
		s.wide.box(x0, y1-5, x1, y1, chalk)
		s.wide.box(x0, y0, x0+5, y1, chalk)
		s.wide.box(x1-5, y0, x1, y1, chalk)
	}
	frame(50, kerb+80, wideW-50, wideH-40)
	for _, side := range [][2]int{{50, 1}, {wideW - 50, -1}} {
		for _, b := range [][2]int{{340, 160}, {130, 75}, {-36, 44}} {
			far := side[0] + side[1]*b[0]
			frame(min(side[0], far), 700-b[1], max(side[0], far), 700+b[1])
		}
	}
	s.wide.box(wideW/2-3, kerb+80, wideW/2+3, wideH-40, chalk)
	for a := 0.0; a < 6.29; a += 0.005 {
		x, y := wideW/2+int(180*math.Cos(a)), 700+int(110*math.Sin(a))
		s.wide.box(x, y, x+5, y+4, chalk)
	}
}

// sun lays the roof's shadow and uneven light over everything.
func (s *stadium) sun(d dice) {
	edge, lean, dark := d.in(400, 1900), d.in(-1, 1), d.in(0.55, 0.8)
	a, b, c := d.in(0.002, 0.006), d.in(0.002, 0.008), d.in(0, 6)
	for y := range wideH {
		for x := range wideW {
			f := 1 + 0.16*math.Sin(a*float64(x)+c)*math.Cos(b*float64(y)+c)
			if y > kerb && float64(x)+lean*float64(y) < edge {
				f *= dark
			}
			for k := range 3 {
				i := 3*(y*wideW+x) + k
				s.wide.pix[i] = byte(min(250, f*float64(s.wide.pix[i])))
			}
		}
	}
}
