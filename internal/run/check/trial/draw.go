package trial

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/picture"
)

// canvas is a picture in the making; lengths are given for 1080 lines and scaled.
type canvas struct {
	*image.RGBA
	rnd *rand.Rand
	k   float64
}

var (
	white = color.RGBA{238, 240, 242, 255}
	night = color.RGBA{14, 18, 30, 255}
)

// drawn is a scene as a JPEG, as it would come out of a clip.
func (s scene) drawn() ([]byte, error) {
	c := &canvas{RGBA: image.NewRGBA(image.Rect(0, 0, s.lines*16/9, s.lines)), k: float64(s.lines) / 1080,
		rnd: rand.New(rand.NewPCG(uint64(s.seed), 0xf007))} //nolint:gosec // the same picture every time, nothing secret
	switch s.kind {
	case other:
		if err := c.other(s); err != nil {
			return nil, err
		}
	default:
		c.match()
		if err := c.bug(s); err != nil {
			return nil, err
		}
	}
	if s.kind == phone {
		c.offScreen()
	}
	c.noise()
	return picture.JPEG(c.RGBA, 88)
}

func (c *canvas) rect(x, y, w, h float64, col color.Color) {
	r := image.Rect(int(x*c.k), int(y*c.k), int((x+w)*c.k), int((y+h)*c.k))
	draw.Draw(c.RGBA, r, image.NewUniform(col), image.Point{}, draw.Src)
}

func (c *canvas) disc(x, y, rx, ry float64, col color.RGBA) {
	for py := int((y - ry) * c.k); py <= int((y+ry)*c.k); py++ {
		for px := int((x - rx) * c.k); px <= int((x+rx)*c.k); px++ {
			dx, dy := (float64(px)/c.k-x)/rx, (float64(py)/c.k-y)/ry
			if dx*dx+dy*dy <= 1 && image.Pt(px, py).In(c.Rect) {
				c.SetRGBA(px, py, col)
			}
		}
	}
}

func (c *canvas) between(lo, hi float64) float64 { return lo + c.rnd.Float64()*(hi-lo) }

func (c *canvas) colour(lo, hi int) color.RGBA {
	one := func() uint8 { return uint8(lo + c.rnd.IntN(hi-lo)) } //nolint:gosec // below 256
	return color.RGBA{one(), one(), one(), 255}
}

// match draws a stand, a pitch and two teams.
func (c *canvas) match() {
	for y := 0.0; y < 300; y += 14 {
		for x := 0.0; x < 1920; x += 12 {
			c.rect(x, y, 12, 14, c.colour(20, 125))
		}
	}
	c.rect(0, 300, 1920, 46, color.RGBA{30, 60, 150, 255})
	for i := range 16 {
		green := color.RGBA{48, 124, 44, 255}
		if i%2 == 0 {
			green = color.RGBA{58, 138, 52, 255}
		}
		c.rect(float64(i)*120, 346, 120, 734, green)
	}
	c.rect(0, 400, 1920, 5, white)
	c.rect(1300, 400, 5, 400, white)
	c.rect(1300, 800, 620, 5, white)
	c.rect(1640, 400, 4, 230, white)
	c.rect(1640, 630, 280, 4, white)
	shirts := []color.RGBA{{200, 30, 40, 255}, {235, 235, 240, 255}}
	for i := range 18 {
		x, y := c.between(60, 1860), c.between(430, 960)
		tall := 70 + (y-430)/8
		c.disc(x, y+tall, tall*.35, tall*.07, color.RGBA{34, 90, 32, 255})
		c.rect(x-tall*.1, y+tall*.55, tall*.08, tall*.45, color.RGBA{190, 145, 115, 255})
		c.rect(x+tall*.04, y+tall*.55, tall*.08, tall*.45, color.RGBA{190, 145, 115, 255})
		c.rect(x-tall*.15, y+tall*.12, tall*.3, tall*.46, shirts[i%2])
		c.disc(x, y, tall*.1, tall*.12, color.RGBA{180, 135, 105, 255})
	}
	c.disc(c.between(300, 1600), c.between(600, 1000), 9, 9, white)
}

// bug draws the score with its clock, and below it what stoppage time adds.
func (c *canvas) bug(s scene) error {
	face, err := s.face(s.height)
	if err != nil {
		return err
	}
	box, ink := color.RGBA{12, 20, 44, 255}, white
	if s.light {
		box, ink = white, color.RGBA{16, 18, 26, 255}
	}
	score := fmt.Sprintf("RED %d-%d WHI", s.seed%4, s.seed/4%3)
	clock := s.clock()
	pad := s.height / 2
	wide := func(text string) int { return font.MeasureString(face, text).Ceil() }
	width := pad + wide(clock) + 2*pad + wide(score) + pad
	left, top, high := s.margin(), int(60*c.k), s.height*3/2
	if s.right {
		left = c.Rect.Dx() - left - width
	}
	write := func(face font.Face, x, y int, text string, ink color.Color) {
		d := font.Drawer{Dst: c.RGBA, Src: image.NewUniform(ink), Face: face, Dot: fixed.P(x, y)}
		d.DrawString(text)
	}
	draw.Draw(c.RGBA, image.Rect(left, top, left+width, top+high), image.NewUniform(box), image.Point{}, draw.Src)
	base := top + high - s.height*2/5
	write(face, left+pad, base, clock, ink)
	write(face, left+3*pad+wide(clock), base, score, ink)
	if s.timer < 0 {
		return nil
	}
	smaller, err := s.face(s.height * 4 / 5)
	if err != nil {
		return err
	}
	timer, added := minutes(s.timer), fmt.Sprintf("+%d", s.timer/60+2)
	second := image.Rect(left, top+high, left+pad+font.MeasureString(smaller, timer+"  "+added).Ceil()+pad, top+high+s.height*5/4)
	draw.Draw(c.RGBA, second, image.NewUniform(color.RGBA{130, 16, 30, 255}), image.Point{}, draw.Src)
	base = second.Max.Y - s.height/3
	write(smaller, left+pad, base, timer, white)
	write(smaller, left+pad+font.MeasureString(smaller, timer+"  ").Ceil(), base, added, white)
	return nil
}

func (s scene) margin() int { return s.lines / 14 }

func (s scene) face(height int) (font.Face, error) {
	parsed, err := opentype.Parse(s.font)
	if err != nil {
		return nil, footy.Wrap(footy.CodeInvalid, "read font", err)
	}
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: float64(height), DPI: 72})
	return face, footy.Wrap(footy.CodeInvalid, "read font", err)
}

// offScreen films the picture drawn so far off a television in a dark room: its frame, a tilt, stripes, a lamp's reflection.
func (c *canvas) offScreen() {
	src := image.NewRGBA(c.Rect)
	copy(src.Pix, c.Pix)
	c.rect(0, 0, 1920, 1080, color.RGBA{34, 28, 24, 255})
	c.rect(150, 96, 1620, 890, color.RGBA{4, 4, 5, 255})
	w, h := float64(c.Rect.Dx()), float64(c.Rect.Dy())
	const share, tilt = 0.8, 0.012
	for y := range c.Rect.Dy() {
		for x := range c.Rect.Dx() {
			dx, dy := float64(x)-w/2, float64(y)-h/2
			sx, sy := int((dx+tilt*dy)/share+w/2), int((dy-tilt*dx)/share+h/2)
			if !image.Pt(sx, sy).In(c.Rect) {
				continue
			}
			p := src.RGBAAt(sx, sy)
			dim := 215 + (x*2+y*3)/2%24 // moire
			if gx, gy := (float64(x)/c.k-1480)/70, (float64(y)/c.k-330)/120; gx*gx+gy*gy < 1 {
				p = color.RGBA{p.R/2 + 120, p.G/2 + 120, p.B/2 + 110, 255}
			}
			c.SetRGBA(x, y, color.RGBA{dimmed(p.R, dim), dimmed(p.G, dim), dimmed(p.B, dim), 255})
		}
	}
}

func dimmed(v uint8, of256 int) uint8 { return uint8(int(v) * of256 >> 8) } //nolint:gosec // below 256

// other draws what is no football: a studio with a wall clock, basketball with a clock of its own, a street at night.
func (c *canvas) other(s scene) error {
	switch s.sport {
	case 0:
		c.rect(0, 0, 1920, 1080, color.RGBA{70, 84, 130, 255})
		c.rect(0, 760, 1920, 320, color.RGBA{120, 90, 70, 255})
		for _, x := range []float64{620, 1240} {
			c.rect(x-150, 520, 300, 300, c.colour(40, 110))
			c.disc(x, 420, 95, 120, color.RGBA{205, 160, 130, 255})
			c.disc(x, 340, 100, 60, color.RGBA{50, 36, 28, 255})
		}
		c.disc(960, 190, 110, 110, white)
		c.rect(955, 110, 10, 84, night)
		c.rect(960, 185, 60, 10, night)
	case 1:
		c.rect(0, 0, 1920, 420, c.colour(30, 80))
		c.rect(0, 420, 1920, 660, color.RGBA{196, 130, 70, 255})
		for x := 0.0; x < 1920; x += 120 {
			c.rect(x, 420, 6, 660, color.RGBA{176, 112, 58, 255})
		}
		c.rect(1300, 120, 330, 220, white)
		c.rect(1400, 330, 130, 12, color.RGBA{225, 80, 30, 255})
		for range 8 {
			x, y := c.between(120, 1700), c.between(460, 760)
			c.rect(x-34, y, 68, 130, c.colour(60, 230))
			c.disc(x, y-30, 26, 30, color.RGBA{150, 105, 80, 255})
		}
		c.disc(700, 620, 34, 34, color.RGBA{222, 112, 40, 255})
		s.second = 10*60 + 24 // a clock like that of a match
		return c.bug(s)
	default:
		c.rect(0, 0, 1920, 1080, color.RGBA{58, 60, 84, 255})
		for x := 0.0; x < 1920; x += 240 {
			high := c.between(300, 700)
			c.rect(x, 800-high, 220, high, c.colour(60, 110))
			for y := 820 - high; y < 760; y += 70 {
				for w := 20.0; w < 200; w += 60 {
					c.rect(x+w, y, 36, 44, color.RGBA{230, 200, 110, 255})
				}
			}
		}
		c.rect(0, 800, 1920, 280, color.RGBA{72, 72, 76, 255})
	}
	return nil
}

// noise is what a sensor and an encoder add.
func (c *canvas) noise() {
	for i := 0; i < len(c.Pix); i += 4 {
		d := int(c.rnd.Uint32()>>29) - 4
		for k := i; k < i+3; k++ {
			c.Pix[k] = uint8(min(255, max(0, int(c.Pix[k])+d))) //nolint:gosec // within bounds
		}
	}
}
