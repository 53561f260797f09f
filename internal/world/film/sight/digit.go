package sight

import (
	"image"
	"math"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gobolditalic"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/gomonobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

const gridW, gridH = 8, 12

// shape is a glyph in a grid, 0 to 1 of ink in each cell, with its width over its height.
type shape struct {
	cells  [gridW * gridH]float64
	aspect float64
}

type known struct {
	shape
	digit string
}

// alphabet is the digits of the fonts that this viewer learnt to read.
var alphabet = sync.OnceValue(func() []known {
	var out []known
	for _, ttf := range [][]byte{goregular.TTF, gomedium.TTF, gobold.TTF, gobolditalic.TTF, gomono.TTF, gomonobold.TTF} {
		parsed, err := opentype.Parse(ttf)
		if err != nil {
			panic(err) // embedded in the module: cannot fail
		}
		face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: 60, DPI: 72})
		if err != nil {
			panic(err)
		}
		for _, digit := range "0123456789" {
			img := image.NewGray(image.Rect(0, 0, 80, 80))
			d := font.Drawer{Dst: img, Src: image.White, Face: face, Dot: fixed.P(20, 62)}
			d.DrawString(string(digit))
			p := &plane{w: 80, h: 80, pix: img.Pix}
			box := image.Rectangle{}
			for _, b := range p.blobs(true) {
				box = box.Union(b.box)
			}
			out = append(out, known{p.shape(box, true), string(digit)})
		}
	}
	return out
})

// shape puts a part of the picture into the grid. The darkest and the lightest pixel in it are its paper and its ink.
func (p *plane) shape(box image.Rectangle, light bool) shape {
	lo, hi := 255.0, 0.0
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			v := float64(p.pix[y*p.w+x])
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	out := shape{aspect: float64(box.Dx()) / float64(box.Dy())}
	for gy := range gridH {
		for gx := range gridW {
			out.cells[gy*gridW+gx] = p.ink(box, gx, gy, lo, hi, light)
		}
	}
	return out
}

// ink is the mean ink in one cell of the grid over a box; pixels count by how much of them lies in it.
func (p *plane) ink(box image.Rectangle, gx, gy int, lo, hi float64, light bool) float64 {
	x0, x1 := float64(box.Min.X)+float64(gx*box.Dx())/gridW, float64(box.Min.X)+float64((gx+1)*box.Dx())/gridW
	y0, y1 := float64(box.Min.Y)+float64(gy*box.Dy())/gridH, float64(box.Min.Y)+float64((gy+1)*box.Dy())/gridH
	sum, area := 0.0, 0.0
	for y := int(y0); float64(y) < y1; y++ {
		for x := int(x0); float64(x) < x1; x++ {
			part := (min(x1, float64(x+1)) - max(x0, float64(x))) * (min(y1, float64(y+1)) - max(y0, float64(y)))
			v := (float64(p.pix[y*p.w+x]) - lo) / max(1, hi-lo)
			if !light {
				v = 1 - v
			}
			sum, area = sum+v*part, area+part
		}
	}
	return sum / area
}

// unsure is the distance from which on a shape is no digit.
const unsure = 0.045

// digit reads one; "?" is none that this viewer knows.
func (p *plane) digit(box image.Rectangle, light bool) string {
	s, best, text := p.shape(box, light), unsure, "?"
	for _, k := range alphabet() {
		d := math.Abs(s.aspect - k.aspect)
		sum := d * d
		for i := range s.cells {
			d := s.cells[i] - k.cells[i]
			sum += d * d / float64(len(s.cells))
		}
		if sum < best {
			best, text = sum, k.digit
		}
	}
	return text
}
