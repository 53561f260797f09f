package draw

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/gomonobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/inconsolata"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/found-footy/found-footy/internal/world/film/clip"
	"github.com/found-footy/found-footy/internal/world/film/strip"
)

// graphics is a broadcaster's way to show score and clock: one for all films of a match. It belongs to one film at a time,
// for a font cannot be drawn with side by side.
type graphics struct {
	face     font.Face
	layout   layout
	box, ink rgb // of the clock
}

// layout is where the clock stands.
type layout int

const (
	afterScore  layout = iota // one box at the left, the clock at its end
	beforeScore               // a box of its own before the score
	right                     // as afterScore, at the right edge
	below                     // a box of its own under the score
	layouts
)

// The place of the graphics: inside what a copy cropped by 8 % still shows, outside the middle that an upright copy keeps.
const (
	bugLeft, bugRight = 40, 600
	bugTop, bugHigh   = 26, 24
	bugPad            = 6
)

// newGraphics picks the graphics of a match.
func newGraphics(match int) (*graphics, error) {
	c := newChance("graphics", match)
	g := &graphics{layout: layout(c.IntN(int(layouts))), box: rgb{16, 22, 44}, ink: rgb{250, 220, 60}}
	if c.IntN(2) == 0 {
		g.box, g.ink = rgb{236, 238, 240}, rgb{20, 20, 28}
	}
	scalable := [][]byte{goregular.TTF, gomedium.TTF, gobold.TTF, gomonobold.TTF}
	k := c.IntN(len(scalable) + 1)
	if k == len(scalable) {
		g.face = inconsolata.Bold8x16
		return g, nil
	}
	parsed, err := opentype.Parse(scalable[k])
	if err != nil {
		return nil, fmt.Errorf("read font: %w", err)
	}
	g.face, err = opentype.NewFace(parsed, &opentype.FaceOptions{Size: 18, DPI: 72})
	if err != nil {
		return nil, fmt.Errorf("read font: %w", err)
	}
	return g, nil
}

// bug draws the broadcaster's score box with its clock, as a viewer reads it.
func (g *graphics) bug(c *canvas, s clip.Scene, shirts [2]rgb, r strip.Reading) {
	clock := clip.Clock(r)
	if clock == "" {
		return
	}
	dark, white := rgb{16, 22, 44}, rgb{245, 245, 245}
	score := fmt.Sprintf("%s %d-%d %s", s.Home, s.Score[0], s.Score[1], s.Away)
	scoreWide, clockWide := g.wide(score)+2*bugPad+6, g.wide(clock)+2*bugPad
	x, y := bugLeft, bugTop
	if g.layout == right {
		x = bugRight - scoreWide - clockWide
	}
	clockX, clockY, end := x+scoreWide, y, x+scoreWide+clockWide
	switch g.layout {
	case beforeScore:
		clockX, x = x, x+clockWide
	case below:
		clockX, clockY = x, y+bugHigh
		end = max(scoreWide, clockWide) + x
	case afterScore, right, layouts:
	}
	c.rect(x, y, x+scoreWide, y+bugHigh, dark)
	c.rect(x, y, x+6, y+bugHigh, shirts[0])
	g.write(c, x+6+bugPad, y, score, white)
	c.rect(x+scoreWide-4, y, x+scoreWide, y+bugHigh, shirts[1])
	c.rect(clockX, clockY, clockX+clockWide, clockY+bugHigh, g.box)
	g.write(c, clockX+bugPad, clockY, clock, g.ink)
	g.boxes(c, end+2, y, r)
}

// boxes are what stands beside a clock: the half, the timer of stoppage time, the board. At the right edge they stand below.
func (g *graphics) boxes(c *canvas, x, y int, r strip.Reading) {
	texts := []string{r.Period, clip.SubClock(r)}
	if r.Added >= 0 {
		texts = append(texts, fmt.Sprintf("+%d", r.Added))
	}
	if g.layout == right {
		x, y = bugRight-170, y+bugHigh+2
	}
	for _, text := range texts {
		if text == "" {
			continue
		}
		w := g.wide(text) + 10
		c.rect(x, y, x+w, y+bugHigh, rgb{150, 20, 40})
		g.write(c, x+5, y, text, rgb{245, 245, 245})
		x += w + 4
	}
}

// pitch is the place a character takes: digits take one each, so that a clock stands still while it runs.
func (g *graphics) pitch(r rune) int {
	if r >= '0' && r <= '9' {
		r = '0'
	}
	advance, _ := g.face.GlyphAdvance(r)
	return advance.Ceil()
}

func (g *graphics) wide(text string) int {
	sum := 0
	for _, r := range text {
		sum += g.pitch(r)
	}
	return sum
}

// write draws a text into a row of the graphics that begins at line y.
func (g *graphics) write(c *canvas, x, y int, text string, ink rgb) {
	base := y + bugHigh - 6
	for _, r := range text {
		d := font.Drawer{Dst: c, Src: image.NewUniform(color.RGBA{ink.r, ink.g, ink.b, 255}), Face: g.face, Dot: fixed.P(x, base)}
		d.DrawString(string(r))
		x += g.pitch(r)
	}
}

// ColorModel, Bounds, At and Set make a canvas a picture that fonts can be drawn into.
func (c *canvas) ColorModel() color.Model { return color.RGBAModel }

func (c *canvas) Bounds() image.Rectangle { return image.Rect(0, 0, c.w, c.h) }

func (c *canvas) At(x, y int) color.Color {
	p := c.pix[(y*c.w+x)*3:]
	return color.RGBA{p[0], p[1], p[2], 255}
}

func (c *canvas) Set(x, y int, v color.Color) {
	r, g, b, _ := v.RGBA()
	p := c.pix[(y*c.w+x)*3:]
	p[0], p[1], p[2] = uint8(r>>8), uint8(g>>8), uint8(b>>8) //nolint:gosec // 16 bits to 8
}

var _ draw.Image = (*canvas)(nil)

// stamp draws the strip a simulated viewer reads.
func (c *canvas) stamp(r strip.Reading) {
	w, h := float64(c.w), float64(c.h)
	cells := strip.Cells(r)
	cw := (strip.Right - strip.Left) * w / float64(len(cells[0]))
	rh := (strip.Bottom - strip.Top) * h / float64(len(cells))
	for row := range cells {
		for col, light := range cells[row] {
			tone := rgb{44, 46, 52}
			if light {
				tone = rgb{172, 174, 178}
			}
			x, y := strip.Left*w+float64(col)*cw, strip.Top*h+float64(row)*rh
			c.rect(int(x+0.5), int(y+0.5), int(x+cw+0.5), int(y+rh+0.5), tone)
		}
	}
}
