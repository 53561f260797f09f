package camera

import "math"

const (
	groundW, groundH = 3200, 1500
	kerb             = 560 // line at which the stands end and the boards begin
)

// ground is what all goals of one match share: stands, boards, pitch, light, shirts, the league's wipe and its main camera's place.
type ground struct {
	sizes  []*Picture
	shirts [2]byte
	wipe   [2]byte
	high   float64 // where the main camera looks, as a line of the scene
	wide   float64 // and how many pixels of it are seen
}

func newGround(seed uint64, match int) *ground {
	d := roll(seed, "ground", match)
	g := &ground{shirts: [2]byte{byte(150 + d.IntN(100)), byte(15 + d.IntN(90))}, wipe: [2]byte{byte(30 + d.IntN(190)), byte(30 + d.IntN(190))},
		high: d.in(760, 900), wide: d.in(1000, 1500)}
	p := NewPicture(groundW, groundH)
	g.stands(d, p)
	g.boards(d, p)
	g.pitch(d, p)
	g.light(d, p)
	for g.sizes = []*Picture{p}; len(g.sizes) < 6; p = g.sizes[len(g.sizes)-1] {
		g.sizes = append(g.sizes, p.smaller())
	}
	return g
}

// cloud is smooth noise of one grain, -1..1.
type cloud struct {
	grain float64
	wide  int
	at    []float64
}

func newCloud(d dice, grain float64) cloud {
	c := cloud{grain: grain, wide: int(groundW/grain) + 3}
	c.at = make([]float64, c.wide*(int(groundH/grain)+3))
	for i := range c.at {
		c.at[i] = d.in(-1, 1)
	}
	return c
}

func (c cloud) value(x, y int) float64 {
	fx, fy := float64(x)/c.grain, float64(y)/c.grain
	i, j := int(fx), int(fy)
	fx, fy = fx-float64(i), fy-float64(j)
	fx, fy = fx*fx*(3-2*fx), fy*fy*(3-2*fy)
	a := c.at[j*c.wide+i:]
	b := a[c.wide:]
	return (a[0]*(1-fx)+a[1]*fx)*(1-fy) + (b[0]*(1-fx)+b[1]*fx)*fy
}

func (g *ground) stands(d dice, p *Picture) {
	coarse, middle, fine := newCloud(d, 210), newCloud(d, 60), newCloud(d, 14)
	for y := range kerb {
		for x := range groundW {
			v := 92 + 38*coarse.value(x, y) + 34*middle.value(x, y) + 40*fine.value(x, y)
			if y%150 < 14 {
				v = 70 + 10*middle.value(x, y) // gangways
			}
			p.Pix[y*groundW+x] = byte(min(max(v, 5), 245))
		}
	}
	for range 26 { // banners
		x, y := d.in(0, groundW), d.in(20, kerb-60)
		p.box(x, y, x+d.in(60, 260), y+d.in(30, 70), byte(20+d.IntN(220)))
	}
}

func (g *ground) boards(d dice, p *Picture) {
	for x := 0.0; x < groundW; {
		w, v := d.in(110, 380), byte(20+d.IntN(215))
		p.box(x, kerb, x+w, kerb+56, v)
		for at := x + 14; at < x+w-30; at += d.in(26, 60) {
			p.box(at, kerb+12, at+d.in(8, 24), kerb+44, 255-v)
		}
		x += w
	}
}

func (g *ground) pitch(d dice, p *Picture) {
	base, stripe, lean, step := d.in(95, 130), d.in(90, 190), d.in(-0.5, 0.5), d.in(3, 13)
	worn, grass, blades := newCloud(d, 260), newCloud(d, 95), newCloud(d, 9)
	for y := kerb + 56; y < groundH; y++ {
		for x := range groundW {
			v := base + 12*worn.value(x, y) + 13*grass.value(x, y) + 9*blades.value(x, y)
			if int(math.Floor((float64(x)+lean*float64(y))/stripe))%2 == 0 {
				v += step
			}
			p.Pix[y*groundW+x] = byte(v)
		}
	}
	const chalk = 224
	frame := func(x0, y0, x1, y1 float64) {
		p.box(x0, y0, x1, y0+6, chalk)
		p.box(x0, y1-6, x1, y1, chalk)
		p.box(x0, y0, x0+7, y1, chalk)
		p.box(x1-7, y0, x1, y1, chalk)
	}
	const middle = 1000
	frame(90, kerb+120, groundW-90, groundH-40)
	for _, b := range [][2]float64{{420, 230}, {160, 105}, {-50, 60}} {
		frame(min(90, 90+b[0]), middle-b[1], max(90, 90+b[0]), middle+b[1])
		frame(min(groundW-90, groundW-90-b[0]), middle-b[1], max(groundW-90, groundW-90-b[0]), middle+b[1])
	}
	p.box(groundW/2-4, kerb+120, groundW/2+4, groundH-40, chalk)
	for a := 0.0; a < 6.29; a += 0.004 {
		x, y := groundW/2+250*math.Cos(a), middle+160*math.Sin(a)
		p.box(x, y, x+7, y+6, chalk)
	}
}

// light lays the roof's shadow and uneven light over everything.
func (g *ground) light(d dice, p *Picture) {
	edge, lean, dark := d.in(500, groundW-500), d.in(-1, 1), d.in(0.6, 0.85)
	uneven := newCloud(d, 500)
	for y := range groundH {
		for x := range groundW {
			f := 1 + 0.12*uneven.value(x, y)
			if y > kerb && float64(x)+lean*float64(y) < edge {
				f *= dark
			}
			i := y*groundW + x
			p.Pix[i] = byte(min(250, f*float64(p.Pix[i])))
		}
	}
}
