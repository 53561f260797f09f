// Package sight is a simple viewer: it looks at a picture's pixels and tells grass, the room around a filmed screen, and
// printed clocks. Footage of the simulated day carries a strip that says what a viewer sees; pictures that others draw do not,
// and a strip in them would make the model pass a test whose pictures it never looked at.
package sight

import (
	"image"
	"image/color"
)

// Seen is what the viewer makes of a picture.
type Seen struct {
	Grass  bool   // a good part of it is a pitch
	Room   bool   // there is a dark room around what it shows
	Clocks []Text // largest letters first
}

// Text is a printed clock.
type Text struct {
	Text   string // as printed, like 67:42
	Top    int    // of its digits, in pixels
	Height int
}

// Look looks at a picture.
func Look(img image.Image) Seen {
	p := newPlane(img)
	return Seen{Grass: grass(img) > 0.2, Room: p.edge() < 48, Clocks: p.clocks()}
}

// grass is the share of the picture that has the colour of it.
func grass(img image.Image) float64 {
	b, green, all := img.Bounds(), 0, 0
	for y := b.Min.Y; y < b.Max.Y; y += 4 {
		for x := b.Min.X; x < b.Max.X; x += 4 {
			c := color.RGBAModel.Convert(img.At(x, y)).(color.RGBA) //nolint:forcetypeassert // the model's own type
			all++
			if c.G > 80 && int(c.G)*4 > int(c.R)*5 && int(c.G)*4 > int(c.B)*5 {
				green++
			}
		}
	}
	return float64(green) / float64(max(1, all))
}

// plane is the brightness of a picture.
type plane struct {
	w, h int
	pix  []uint8
}

func newPlane(img image.Image) *plane {
	b := img.Bounds()
	p := &plane{w: b.Dx(), h: b.Dy()}
	p.pix = make([]uint8, p.w*p.h)
	ycc, isYCC := img.(*image.YCbCr)
	for y := range p.h {
		for x := range p.w {
			if isYCC {
				p.pix[y*p.w+x] = ycc.Y[ycc.YOffset(b.Min.X+x, b.Min.Y+y)]
				continue
			}
			p.pix[y*p.w+x] = color.GrayModel.Convert(img.At(b.Min.X+x, b.Min.Y+y)).(color.Gray).Y //nolint:forcetypeassert // idem
		}
	}
	return p
}

// edge is the mean brightness of the outermost twentieth at the left, the right and the bottom.
func (p *plane) edge() float64 {
	sum, n := 0, 0
	for y := range p.h {
		for x := range p.w {
			if x < p.w/20 || x >= p.w-p.w/20 || y >= p.h-p.h/20 {
				sum += int(p.pix[y*p.w+x])
				n++
			}
		}
	}
	return float64(sum) / float64(max(1, n))
}
