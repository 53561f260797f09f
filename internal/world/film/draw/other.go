package draw

import (
	"math"

	"github.com/found-footy/found-footy/internal/world/film/clip"
	"github.com/found-footy/found-footy/internal/world/script"
)

// meme is a still joke with a right clock in its corner.
func (c *canvas) meme(s clip.Scene, t float64) {
	r := newChance("meme", s.Match, s.Goal)
	a, b := r.colour(60, 220), r.colour(20, 160)
	for y := range c.h {
		c.rect(0, y, c.w, y+1, rgb{mix(a.r, b.r, y*256/c.h), mix(a.g, b.g, y*256/c.h), mix(a.b, b.b, y*256/c.h)})
	}
	face := r.colour(120, 230)
	bob := 5 * math.Sin(5*t)
	c.ellipse(320, 190+bob, 110, 95, face)
	c.ellipse(280, 165+bob, 16, 20, rgb{20, 20, 20})
	c.ellipse(360, 165+bob, 16, 20, rgb{20, 20, 20})
	c.ellipse(320, 235+bob, 50, 12, rgb{120, 30, 30})
	c.text(150, 66, 5, "KEEPER TONIGHT", rgb{250, 250, 250})
}

// gymnasium is some other sport: an orange court, a hoop, a bouncing ball.
func (c *canvas) gymnasium(s clip.Scene, t float64) {
	r := newChance("court", s.Match, s.Goal)
	wall := r.colour(60, 120)
	c.rect(0, 0, c.w, 150, wall)
	c.rect(0, 150, c.w, c.h, rgb{190, 120, 60})
	sway := int(40 * math.Sin(1.3*t+r.between(0, 6)))
	for x := -200; x < 900; x += 90 {
		c.rect(x+sway, 150, x+sway+4, c.h, rgb{170, 104, 50})
	}
	c.rect(430+sway, 40, 560+sway, 120, rgb{235, 235, 235})
	c.rect(465+sway, 110, 525+sway, 116, rgb{230, 80, 30})
	for i := range 6 {
		c.figure(r.wave(r.between(60, 580), r.between(-30, 30), 60).at(t), r.between(230, 330), 110, r.colour(40, 230), math.Sin(9*t+float64(i)))
	}
	c.ellipse(200+60*t, 260-120*math.Abs(math.Sin(4*t)), 13, 13, rgb{220, 110, 40})
}

// hand is where a hand holds a phone, in pixels from where it means to: it sways, and trembles nine times a second.
func hand(t float64) (dx, dy float64) {
	return 3*math.Sin(2.3*t) + math.Sin(5.1*t+1) + 0.6*math.Sin(57*t), 1.5*math.Sin(1.7*t+2) + 0.8*math.Sin(6.3*t) + 0.6*math.Sin(51*t+1)
}

// television films the picture drawn so far off a screen: bezel, tilt, moire, a lamp's reflection. The viewer's strip comes after.
func (c *canvas) television(t float64) {
	src := newCanvas(c.w, c.h)
	copy(src.pix, c.pix)
	c.rect(0, 0, c.w, c.h, rgb{38, 30, 26})
	handX, handY := hand(t)
	const tilt = 0.035
	for y := range c.h {
		for x := range c.w {
			dx, dy := float64(x)-320-handX, float64(y)-176-handY
			sx, sy := (dx+tilt*dy)/0.84+320, (dy-tilt*dx)/0.84+180
			if sx < 0 || sy < 0 || sx >= float64(c.w) || sy >= float64(c.h) {
				continue
			}
			i, j := (y*c.w+x)*3, (int(sy)*c.w+int(sx))*3
			moire := 200 + (x*3+y*5)&31
			for k := range 3 {
				c.pix[i+k] = uint8(int(src.pix[j+k]) * moire / 256)
			}
		}
	}
	c.shade(430, 60, 500, 160, rgb{255, 250, 230}, 70)
}

// card is held up in the middle of the picture.
func (c *canvas) card(kind string) {
	switch kind {
	case script.RedCard:
		c.rect(314, 150, 326, 168, rgb{210, 30, 40})
	case script.YellowCard:
		c.rect(314, 150, 326, 168, rgb{240, 210, 40})
	}
}

// compose draws one frame of a scene.
func compose(c *canvas, s clip.Scene, p *play, t float64) {
	seen := s.Seen(t)
	switch s.Content {
	case "meme":
		c.meme(s, t)
		p.tv.bug(c, s, p.g.shirts, seen)
	case "notfootball":
		c.gymnasium(s, t)
	case "phonefilm":
		p.frame(c, t)
		p.tv.bug(c, s, p.g.shirts, seen)
		c.television(t)
	default:
		p.frame(c, t)
		p.tv.bug(c, s, p.g.shirts, seen)
	}
	c.card(seen.Shows)
	c.stamp(seen)
}
