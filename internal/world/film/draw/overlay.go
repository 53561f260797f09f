package draw

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"strconv"
	"strings"

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
	rows     [][]box
	right    bool // at the right edge
	own, ink rgb  // of the clock's box
}

// box is a text of the graphics on a ground of its own. What stands in braces is filled in.
type box struct {
	text string
	tone tone
	wide int // at least, in digits
}

type tone int

const (
	dark tone = iota
	light
	glass // the play is seen through it
	home  // the colour of a side's shirts
	away
	clocks // the broadcaster's own, for the clock
)

// designs are the score bugs that broadcasters choose from, row by row.
func designs() [][][]box {
	score, clock := box{text: "{home} {h}-{a} {away}"}, box{text: "{clock}", tone: clocks}
	return [][][]box{
		{{score, clock}},
		{{clock, score}},
		{{score}, {clock}},
		{{{text: "{home}", tone: home}, {text: "{h}"}, {text: "{a}", tone: light}, {text: "{away}", tone: away}}, {clock}},
		{{{text: "{home}", wide: 5}, {text: "{h}", tone: light}}, {{text: "{away}", wide: 5}, {text: "{a}", tone: light}}, {clock}},
		{{{text: "{home} {h}-{a} {away}", tone: glass}, {text: "{clock}", tone: glass}}},
	}
}

// The place of the graphics: inside what a copy cropped by 8 % still shows, outside the middle that an upright copy keeps.
const (
	bugLeft, bugRight = 40, 600
	bugTop, bugHigh   = 26, 24
	bugPad            = 6
)

// newGraphics picks the graphics of a match.
func newGraphics(match int) (*graphics, error) {
	c := newChance("graphics", match)
	all := designs()
	g := &graphics{rows: all[c.IntN(len(all))], right: c.IntN(4) == 0, own: rgb{16, 22, 44}, ink: rgb{250, 220, 60}}
	if c.IntN(2) == 0 {
		g.own, g.ink = rgb{236, 238, 240}, rgb{20, 20, 28}
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
	says := strings.NewReplacer("{clock}", clock, "{home}", s.Home, "{away}", s.Away, "{h}", strconv.Itoa(s.Score[0]), "{a}", strconv.Itoa(s.Score[1]))
	wide := func(b box) int { return max(g.wide(says.Replace(b.text)), b.wide*g.pitch('0')) + 2*bugPad }
	left, end := bugLeft, bugLeft
	for _, row := range g.rows {
		x := bugLeft
		for _, b := range row {
			x += wide(b)
		}
		end = max(end, x)
	}
	if g.right {
		left, end = bugRight-(end-bugLeft), bugRight
	}
	for i, row := range g.rows {
		x, y := left, bugTop+i*bugHigh
		for _, b := range row {
			w := wide(b)
			g.write(c, x+bugPad, y, says.Replace(b.text), g.ground(c, b.tone, shirts, x, y, x+w))
			x += w
		}
	}
	g.boxes(c, end+2, bugTop, len(g.rows), r)
}

// ground draws what a text stands on and returns the text's colour.
func (g *graphics) ground(c *canvas, t tone, shirts [2]rgb, x0, y, x1 int) rgb {
	black, white := rgb{16, 22, 44}, rgb{245, 245, 245}
	ground, ink := black, white
	switch t {
	case glass:
		c.shade(x0, y, x1, y+bugHigh, rgb{}, 130)
		return white
	case light:
		ground, ink = white, black
	case clocks:
		ground, ink = g.own, g.ink
	case home, away:
		ground = shirts[t-home]
		if int(ground.r)+2*int(ground.g)+int(ground.b) > 4*130 {
			ink = black
		}
	case dark:
	}
	c.rect(x0, y, x1, y+bugHigh, ground)
	return ink
}

// boxes are what stands beside a clock: the half, the timer of stoppage time, the board. At the right edge they stand below.
func (g *graphics) boxes(c *canvas, x, y, rows int, r strip.Reading) {
	texts := []string{r.Period, clip.SubClock(r)}
	if r.Added >= 0 {
		texts = append(texts, fmt.Sprintf("+%d", r.Added))
	}
	if g.right {
		x, y = bugRight-170, y+rows*bugHigh+2
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
