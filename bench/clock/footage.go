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
	return dice{rand.New(rand.NewPCG(h.Sum64(), 0xc10c))}
}

func (d dice) in(lo, hi float64) float64 { return lo + d.Float64()*(hi-lo) }

// picture is a frame as the encoder takes it: full brightness, colours at half the size.
type picture struct {
	w, h    int
	y, u, v []byte
}

func newPicture(w, h int) *picture {
	return &picture{w, h, make([]byte, w*h), make([]byte, w*h/4), make([]byte, w*h/4)}
}

func (p *picture) bytes() [][]byte { return [][]byte{p.y, p.u, p.v} }

func (p *picture) box(x0, y0, x1, y1 int, light, u, v byte) {
	x0, x1, y0, y1 = max(x0, 0), min(x1, p.w), max(y0, 0), min(y1, p.h)
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			p.y[y*p.w+x] = light
		}
		if y%2 == 0 {
			for x := x0 / 2; x < x1/2; x++ {
				p.u[y/2*p.w/2+x], p.v[y/2*p.w/2+x] = u, v
			}
		}
	}
}

// ground is a stadium larger than any picture of it: stands above, striped grass with lines below.
func ground(w, h int, d dice) *picture {
	g := newPicture(w, h)
	edge := int(float64(h) * d.in(0.25, 0.45))
	grass, stripe, step := d.in(70, 130), d.in(0.03, 0.09)*float64(w), d.in(6, 24)
	unit := max(2, h/130)
	crowd, spread := d.in(25, 75), d.in(30, 110)
	for y := 0; y < h; y += 2 {
		for x := 0; x < w; x += 2 {
			var light float64
			var u, v byte
			if y < edge {
				k := roll2(x/unit, y/unit)
				light = crowd + spread*(0.7*float64(k%97)/97+0.3*float64(roll2(x/unit/7, y/unit/5)%97)/97)
				u, v = byte(118+k%20), byte(118+k/7%20)
			} else {
				light = grass + float64(roll2(x/3, y/2)%9)
				if int(float64(x)/stripe)%2 == 0 {
					light += step
				}
				u, v = 108, 100
			}
			for _, i := range []int{y*w + x, y*w + x + 1, (y+1)*w + x, (y+1)*w + x + 1} {
				g.y[i] = byte(light)
			}
			g.u[y/2*w/2+x/2], g.v[y/2*w/2+x/2] = u, v
		}
	}
	for i := range 14 { // advertising boards, bright
		x := int(d.in(0, float64(w)))
		g.box(x, edge, x+w/14, edge+h/22, byte(d.in(20, 240)), byte(80+i*7), byte(d.in(60, 190)))
	}
	for i := range 7 { // lines
		x := w * i / 7
		g.box(x, edge+h/20, x+max(2, h/160), h, 225, 128, 128)
	}
	g.box(0, edge+h/5, w, edge+h/5+max(2, h/200), 225, 128, 128)
	return g
}

// roll2 is noise of a place.
func roll2(x, y int) int {
	n := uint32(x*374761393 + y*668265263)
	n = (n ^ n>>13) * 1274126177
	return int(n>>16) & 0x7fff
}

// shot is a camera over the ground.
type shot struct {
	until      float64
	x, y       float64 // of the window's upper left corner, in parts of what there is to move in
	pan, tilt  float64
	slow, fast float64
	men        [][4]float64
}

// footage is a row of shots.
type footage struct {
	ground *picture
	shots  []shot
	w, h   int
}

func newFootage(w, h int, seconds float64, d dice) *footage {
	f := &footage{ground: ground(w*2/4*4, h*3/2/4*4, d), w: w, h: h}
	for at := 0.0; at < seconds; {
		at += d.in(3.5, 14)
		s := shot{until: at, x: d.in(0.2, 0.8), y: d.in(0.1, 0.9), pan: d.in(-0.35, 0.35), tilt: d.in(0, 0.1), slow: d.in(0.2, 0.9), fast: d.in(1.5, 5)}
		for range 6 + d.IntN(9) {
			s.men = append(s.men, [4]float64{d.in(0, 1), d.in(0.3, 1), d.in(-0.12, 0.12), d.in(0.3, 2)})
		}
		f.shots = append(f.shots, s)
	}
	return f
}

// frame draws the camera's picture of a moment.
func (f *footage) frame(p *picture, t float64) {
	k := 0
	for k < len(f.shots)-1 && t >= f.shots[k].until {
		k++
	}
	s := f.shots[k]
	g := f.ground
	x := int(float64(g.w-f.w)*clamp(s.x+s.pan*math.Sin(s.slow*t)+0.01*math.Sin(s.fast*t)+s.pan*t*0.1)) / 2 * 2
	y := int(float64(g.h-f.h)*clamp(s.y+s.tilt*math.Sin(s.slow*t*1.3))) / 2 * 2
	for r := range f.h {
		copy(p.y[r*f.w:(r+1)*f.w], g.y[(y+r)*g.w+x:])
		if r%2 == 0 {
			at := (y+r)/2*g.w/2 + x/2
			copy(p.u[r/2*f.w/2:(r/2+1)*f.w/2], g.u[at:])
			copy(p.v[r/2*f.w/2:(r/2+1)*f.w/2], g.v[at:])
		}
	}
	for i, m := range s.men {
		size := float64(f.h) * (0.03 + 0.07*m[1])
		cx, cy := math.Mod(m[0]+m[2]*t+4, 1)*float64(f.w), m[1]*float64(f.h)+size*0.1*math.Sin(m[3]*t*6)
		light := byte(235)
		if i%2 == 0 {
			light = 45
		}
		p.box(int(cx), int(cy-size), int(cx+size*0.35), int(cy), light, 110, byte(120+i*5))
		p.box(int(cx+size*0.08), int(cy-size*1.25), int(cx+size*0.27), int(cy-size), 150, 112, 150)
	}
}

func clamp(v float64) float64 { return min(1, max(0, v)) }
