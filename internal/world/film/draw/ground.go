package draw

import (
	"math"
	"strconv"
)

// ground is what all goals of one match share: stadium, light, colours and the league's replay wipe.
type ground struct {
	pano    *canvas
	shirts  [2]rgb
	wipe    [2]rgb
	horizon int // pano line where boards begin
}

const panoW, panoH = 2400, 1060

func newGround(match int, shirts [2]string) *ground {
	c := newChance("ground", match)
	g := &ground{pano: newCanvas(panoW, panoH), horizon: 330 + c.IntN(70)}
	for i, s := range shirts {
		g.shirts[i] = parseColour(s)
	}
	g.wipe = [2]rgb{c.colour(30, 220), c.colour(30, 220)}
	g.crowd(c)
	g.pitch(c)
	g.boards(c)
	g.light(c)
	return g
}

func (g *ground) crowd(c chance) {
	sections := make([]rgb, 14)
	for i := range sections {
		sections[i] = c.colour(35, 175)
		if c.IntN(3) == 0 {
			sections[i] = g.shirts[c.IntN(2)]
		}
	}
	for y := 0; y < g.horizon; y += 9 {
		for x := 0; x < panoW; x += 8 {
			base := sections[(x+y/3)*len(sections)/(panoW+200)]
			if y%120 < 12 {
				base = rgb{70, 70, 75} // the gangways
			}
			p := c.colour(30, 210)
			g.pano.rect(x, y, x+8, y+9, rgb{mix(base.r, p.r, 90), mix(base.g, p.g, 90), mix(base.b, p.b, 90)})
			g.pano.rect(x+2, y+1, x+6, y+4, rgb{mix(200, p.r, 120), mix(160, p.r, 120), mix(130, p.r, 120)})
		}
	}
}

func (g *ground) pitch(c chance) {
	green := c.between(105, 145)
	stripe, slant, contrast := c.between(90, 170), c.between(-0.7, 0.7), c.between(14, 34)
	for y := g.horizon; y < panoH; y++ {
		for x := range panoW {
			v := green - float64(y-g.horizon)/40
			if int(math.Floor((float64(x)+slant*float64(y))/stripe))&1 == 0 {
				v += contrast
			}
			v += float64((x*7919^y*104729)>>3&7) - 3 // grass
			i := (y*panoW + x) * 3
			g.pano.pix[i], g.pano.pix[i+1], g.pano.pix[i+2] = uint8(v*0.45), uint8(v), uint8(v*0.35)
		}
	}
	white := rgb{225, 230, 225}
	top, bottom := g.horizon+70, panoH-50
	line := func(x0, y0, x1, y1 int) { g.pano.rect(x0, y0, x1, y1, white) }
	box := func(x0, y0, x1, y1 int) {
		line(x0, y0, x1, y0+5)
		line(x0, y1-5, x1, y1)
		line(x0, y0, x0+5, y1)
		line(x1-5, y0, x1, y1)
	}
	mid := (top + bottom) / 2
	box(60, top, panoW-60, bottom)
	line(panoW/2-3, top, panoW/2+3, bottom)
	for _, s := range []int{0, 1} {
		edge := func(d int) (int, int) {
			if s == 0 {
				return 60, 60 + d
			}
			return panoW - 60 - d, panoW - 60
		}
		x0, x1 := edge(380)
		box(x0, mid-170, x1, mid+170)
		x0, x1 = edge(150)
		box(x0, mid-80, x1, mid+80)
		x0, x1 = edge(-40)
		box(min(x0, x1), mid-45, max(x0, x1), mid+45)
	}
	for a := 0.0; a < 6.3; a += 0.004 {
		x, y := panoW/2+int(190*math.Cos(a)), mid+int(115*math.Sin(a))
		line(x, y, x+5, y+4)
	}
}

func (g *ground) boards(c chance) {
	for x := 0; x < panoW; {
		w := 110 + c.IntN(260)
		g.pano.rect(x, g.horizon, x+w, g.horizon+44, c.colour(20, 230))
		text := ""
		for range 4 + c.IntN(4) {
			text += string(rune('A' + c.IntN(26)))
		}
		g.pano.text(x+12, g.horizon+8, 4, text, c.colour(120, 255))
		x += w
	}
}

// light lays the stand's shadow and uneven sun over the ground: what a camera path crosses.
func (g *ground) light(c chance) {
	edge, slope, dark := c.between(500, 1900), c.between(-1.2, 1.2), c.between(0.55, 0.78)
	var blobs [9][4]float64
	for i := range blobs {
		blobs[i] = [4]float64{c.between(0, panoW), c.between(0, panoH), c.between(140, 420), c.between(-0.28, 0.28)}
	}
	row := make([]float64, panoW)
	for y := range panoH {
		for x := range row {
			row[x] = 1
			if float64(x)+slope*float64(y) < edge && y > g.horizon {
				row[x] = dark
			}
		}
		for _, b := range blobs {
			dy := float64(y) - b[1]
			if dy*dy >= b[2]*b[2] {
				continue
			}
			for x := max(int(b[0]-b[2]), 0); x < min(int(b[0]+b[2]), panoW); x++ {
				dx := float64(x) - b[0]
				row[x] += b[3] * max(0, 1-(dx*dx+dy*dy)/(b[2]*b[2]))
			}
		}
		for x, f := range row {
			i := (y*panoW + x) * 3
			for k := range 3 {
				g.pano.pix[i+k] = uint8(min(max(float64(g.pano.pix[i+k])*f, 0), 250))
			}
		}
	}
}

// parseColour reads RRGGBB; what is not one is grey.
func parseColour(s string) rgb {
	v, err := strconv.ParseUint(s, 16, 24)
	if err != nil {
		return rgb{128, 128, 128}
	}
	return rgb{uint8(v >> 16), uint8(v >> 8), uint8(v)}
}
