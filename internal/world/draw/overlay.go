package draw

import (
	"fmt"

	"github.com/found-footy/found-footy/internal/world/clip"
	"github.com/found-footy/found-footy/internal/world/strip"
)

// bug draws the broadcaster's score box with its clock, as a viewer reads it.
func (c *canvas) bug(s clip.Scene, g *ground, r strip.Reading) {
	clock := clip.Clock(r)
	if clock == "" {
		return
	}
	c.rect(40, 26, 258, 50, rgb{16, 22, 44})
	c.rect(40, 26, 46, 50, g.shirts[0])
	c.rect(252, 26, 258, 50, g.shirts[1])
	white := rgb{245, 245, 245}
	c.text(52, 31, 2, fmt.Sprintf("%s %d-%d %s", s.Home, s.Score[0], s.Score[1], s.Away), white)
	c.text(191, 31, 2, clock, rgb{250, 220, 60})
	x := 260
	box := func(text string) {
		w := len(text)*12 + 10
		c.rect(x, 26, x+w, 50, rgb{150, 20, 40})
		c.text(x+5, 31, 2, text, white)
		x += w + 4
	}
	if r.Period != "" {
		box(r.Period)
	}
	if sub := clip.SubClock(r); sub != "" {
		box(sub)
	}
	if r.Added >= 0 {
		box(fmt.Sprintf("+%d", r.Added))
	}
}

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
