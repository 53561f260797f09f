package strip

import "image"

// Read finds the strip in a picture and reads it; false if there is none or it is damaged. It tries places and sizes
// around the drawn one (a cropped, padded or re-scaled picture) and the mirror image, and trusts only the checksum.
func Read(img image.Image) (Reading, bool) {
	g := newIntegral(img)
	if g.w < 120 || g.h < 60 {
		return Reading{}, false
	}
	for _, near := range []bool{true, false} {
		for _, p := range places(near) {
			for _, mirror := range []bool{false, true} {
				if r, ok := g.try(p, mirror); ok {
					return r, true
				}
			}
		}
	}
	return Reading{}, false
}

// place is a hypothesis: where the strip lies, in shares of the picture.
type place struct{ left, right, top, bottom float64 }

// places lists hypotheses, the likely ones first: a crop enlarges the picture around a point near its middle.
func places(near bool) []place {
	if near {
		return []place{{Left, Right, Top, Bottom}}
	}
	var out []place
	for _, zoom := range []float64{1, 1.03, 1.06, 1.09, 1.12, 0.97} {
		for _, sx := range shifts(zoom) {
			for _, sy := range shifts(zoom) {
				out = append(out, place{
					zoomed(Left, zoom, sx), zoomed(Right, zoom, sx), zoomed(Top, zoom, sy), zoomed(Bottom, zoom, sy)})
			}
		}
	}
	return out
}

func shifts(zoom float64) []float64 {
	if zoom <= 1 {
		return []float64{0, -0.006, 0.006, -0.012, 0.012}
	}
	return []float64{0, -0.008, 0.008, -0.016, 0.016, -0.03, 0.03, -0.045, 0.045}
}

func zoomed(x, zoom, shift float64) float64 { return 0.5 + (x-0.5)*zoom + shift }

func (g *integral) try(p place, mirror bool) (Reading, bool) {
	level, ok := g.finders(p, mirror)
	if !ok {
		return Reading{}, false
	}
	p = g.refine(p, mirror, level)
	level, ok = g.finders(p, mirror)
	if !ok {
		return Reading{}, false
	}
	var bits uint64
	n := 0
	for row := range rows {
		for col := finder; col < columns-finder; col++ {
			if g.cell(p, row, col, mirror) > level {
				bits |= 1 << n
			}
			n++
		}
	}
	return decode(bits)
}

// finders checks the end columns and returns the grey level between light and dark.
func (g *integral) finders(p place, mirror bool) (float64, bool) {
	level, margin := g.contrast(p, mirror)
	return level, margin > 8
}

func (g *integral) contrast(p place, mirror bool) (level, margin float64) {
	light, dark := 255.0, 0.0
	for end, shape := range finders {
		for row := range rows {
			for i := range finder {
				col := i
				if end == 1 {
					col = columns - finder + i
				}
				v := g.cell(p, row, col, mirror)
				if shape[row][i] {
					light = min(light, v)
				} else {
					dark = max(dark, v)
				}
			}
		}
	}
	return (light + dark) / 2, light - dark
}

// refine nudges the place to where the finders stand out most.
func (g *integral) refine(p place, mirror bool, _ float64) place {
	best, margin := p, -1.0
	cw, rh := (p.right-p.left)/columns, (p.bottom-p.top)/rows
	for _, dl := range []float64{-0.35, 0, 0.35} {
		for _, dr := range []float64{-0.35, 0, 0.35} {
			for _, dy := range []float64{-0.3, 0, 0.3} {
				q := place{p.left + dl*cw, p.right + dr*cw, p.top + dy*rh, p.bottom + dy*rh}
				if _, m := g.contrast(q, mirror); m > margin {
					best, margin = q, m
				}
			}
		}
	}
	return best
}

// cell is the mean grey of a cell's inner part.
func (g *integral) cell(p place, row, col int, mirror bool) float64 {
	cw, rh := (p.right-p.left)/columns, (p.bottom-p.top)/rows
	x0, x1 := p.left+(float64(col)+0.25)*cw, p.left+(float64(col)+0.75)*cw
	y0, y1 := p.top+(float64(row)+0.25)*rh, p.top+(float64(row)+0.75)*rh
	if mirror {
		x0, x1 = 1-x1, 1-x0
	}
	return g.mean(x0, y0, x1, y1)
}

// integral holds running sums, so that any rectangle's mean costs four look-ups.
type integral struct {
	w, h int
	sum  []uint32
}

func newIntegral(img image.Image) *integral {
	b := img.Bounds()
	g := &integral{w: b.Dx(), h: b.Dy()}
	g.sum = make([]uint32, (g.w+1)*(g.h+1))
	grey := greys(img)
	for y := range g.h {
		var row uint32
		for x := range g.w {
			row += uint32(grey(b.Min.X+x, b.Min.Y+y))
			g.sum[(y+1)*(g.w+1)+x+1] = g.sum[y*(g.w+1)+x+1] + row
		}
	}
	return g
}

func greys(img image.Image) func(x, y int) uint8 {
	switch im := img.(type) {
	case *image.YCbCr:
		return func(x, y int) uint8 { return im.Y[im.YOffset(x, y)] }
	case *image.Gray:
		return func(x, y int) uint8 { return im.GrayAt(x, y).Y }
	}
	return func(x, y int) uint8 {
		r, gr, b, _ := img.At(x, y).RGBA()
		return uint8((299*r + 587*gr + 114*b) / 1000 >> 8)
	}
}

func (g *integral) mean(x0, y0, x1, y1 float64) float64 {
	l, r := g.column(x0), g.column(x1)
	t, b := g.line(y0), g.line(y1)
	r, b = min(max(r, l+1), g.w), min(max(b, t+1), g.h)
	l, t = min(l, r-1), min(t, b-1)
	w := g.w + 1
	s := g.sum[b*w+r] - g.sum[t*w+r] - g.sum[b*w+l] + g.sum[t*w+l]
	return float64(s) / float64((r-l)*(b-t))
}

func (g *integral) column(x float64) int { return min(max(int(x*float64(g.w)+0.5), 0), g.w-1) }
func (g *integral) line(y float64) int   { return min(max(int(y*float64(g.h)+0.5), 0), g.h-1) }
