package camera

import "math"

// Picture is grey, one byte a pixel: fingerprints see no colour.
type Picture struct {
	W, H int
	Pix  []byte
}

// NewPicture is a black one.
func NewPicture(w, h int) *Picture { return &Picture{w, h, make([]byte, w*h)} }

func (p *Picture) box(x0, y0, x1, y1 float64, v byte) {
	a, b := max(0, int(math.Round(x0))), min(p.W, int(math.Round(x1)))
	for y := max(0, int(math.Round(y0))); y < min(p.H, int(math.Round(y1))); y++ {
		for x := a; x < b; x++ {
			p.Pix[y*p.W+x] = v
		}
	}
}

func (p *Picture) disc(cx, cy, rx, ry float64, v byte) {
	for y := max(0, int(cy-ry)); y <= min(p.H-1, int(cy+ry)); y++ {
		if d := (float64(y) - cy) / ry; d*d < 1 {
			half := rx * math.Sqrt(1-d*d)
			p.box(cx-half, float64(y), cx+half, float64(y+1), v)
		}
	}
}

// smaller is half as wide and high, each pixel the mean of four.
func (p *Picture) smaller() *Picture {
	out := NewPicture(p.W/2, p.H/2)
	for y := range out.H {
		a, b := p.Pix[2*y*p.W:], p.Pix[(2*y+1)*p.W:]
		for x := range out.W {
			out.Pix[y*out.W+x] = byte((int(a[2*x]) + int(a[2*x+1]) + int(b[2*x]) + int(b[2*x+1]) + 2) / 4)
		}
	}
	return out
}

// window fills the picture with the part of a scene that is wide pixels wide around (cx, cy). The scene comes in sizes, each half of
// the one before; blur takes one so much coarser than the picture could show.
func (p *Picture) window(sizes []*Picture, cx, cy, wide float64, blur int, flip bool) {
	level := 0
	for step := wide / float64(p.W); step >= 1.5 && level < len(sizes)-1; step /= 2 {
		level++
	}
	level = min(level+blur, len(sizes)-1)
	from, scale := sizes[level], 1/float64(int(1)<<level)
	step := wide * scale / float64(p.W)
	x0, y0 := cx*scale-step*float64(p.W)/2, cy*scale-step*float64(p.H)/2
	const one = 1 << 8
	cols, shares := make([]int, p.W), make([]int, p.W)
	for i := range cols {
		j := i
		if flip {
			j = p.W - 1 - i
		}
		v := min(max(x0+(float64(j)+0.5)*step-0.5, 0), float64(from.W-2))
		cols[i], shares[i] = int(v), int((v-math.Floor(v))*one)
	}
	for y := range p.H {
		v := min(max(y0+(float64(y)+0.5)*step-0.5, 0), float64(from.H-2))
		fy := int((v - math.Floor(v)) * one)
		a := from.Pix[int(v)*from.W:]
		b := a[from.W:]
		out := p.Pix[y*p.W : (y+1)*p.W]
		for i, x := range cols {
			fx := shares[i]
			top := int(a[x])*(one-fx) + int(a[x+1])*fx
			low := int(b[x])*(one-fx) + int(b[x+1])*fx
			out[i] = byte((top*(one-fy) + low*fy) >> 16)
		}
	}
}
