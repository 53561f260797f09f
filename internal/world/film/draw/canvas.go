package draw

// canvas is one frame of packed RGB.
type canvas struct {
	w, h int
	pix  []uint8
}

type rgb struct{ r, g, b uint8 }

func newCanvas(w, h int) *canvas { return &canvas{w, h, make([]uint8, w*h*3)} }

func (c *canvas) rect(x0, y0, x1, y1 int, col rgb) {
	x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, c.w), min(y1, c.h)
	for y := y0; y < y1; y++ {
		row := c.pix[(y*c.w)*3:]
		for x := x0; x < x1; x++ {
			row[x*3], row[x*3+1], row[x*3+2] = col.r, col.g, col.b
		}
	}
}

// shade mixes a colour over a rectangle; alpha of 256.
func (c *canvas) shade(x0, y0, x1, y1 int, col rgb, alpha int) {
	x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, c.w), min(y1, c.h)
	for y := y0; y < y1; y++ {
		for i := (y*c.w + x0) * 3; i < (y*c.w+x1)*3; i += 3 {
			c.pix[i] = mix(c.pix[i], col.r, alpha)
			c.pix[i+1] = mix(c.pix[i+1], col.g, alpha)
			c.pix[i+2] = mix(c.pix[i+2], col.b, alpha)
		}
	}
}

func mix(a, b uint8, alpha int) uint8 { return uint8((int(a)*(256-alpha) + int(b)*alpha) >> 8) }

func (c *canvas) ellipse(cx, cy, rx, ry float64, col rgb) {
	if rx <= 0 || ry <= 0 {
		return
	}
	for y := max(int(cy-ry), 0); y <= min(int(cy+ry), c.h-1); y++ {
		dy := (float64(y) - cy) / ry
		if dy*dy > 1 {
			continue
		}
		half := rx * sqrt(1-dy*dy)
		c.rect(int(cx-half), y, int(cx+half+1), y+1, col)
	}
}

// view fills the canvas with a window of a larger picture: top left corner (x, y), w wide; flipped left to right if asked.
func (c *canvas) view(src *canvas, x, y, w float64, flip bool) {
	step := w / float64(c.w)
	cols := make([]int, c.w)
	for i := range cols {
		j := i
		if flip {
			j = c.w - 1 - i
		}
		cols[i] = 3 * min(max(int(x+float64(j)*step), 0), src.w-1)
	}
	for row := range c.h {
		sy := min(max(int(y+float64(row)*step), 0), src.h-1)
		line := src.pix[sy*src.w*3 : (sy+1)*src.w*3]
		out := c.pix[row*c.w*3:]
		for i, sx := range cols {
			out[i*3], out[i*3+1], out[i*3+2] = line[sx], line[sx+1], line[sx+2]
		}
	}
}

// blur softens horizontally and vertically by averaging blocks: the background of a close-up.
func (c *canvas) blur(n int) {
	for y0 := 0; y0 < c.h; y0 += n {
		for x0 := 0; x0 < c.w; x0 += n {
			var sum [3]int
			x1, y1 := min(x0+n, c.w), min(y0+n, c.h)
			for y := y0; y < y1; y += 2 {
				for x := x0; x < x1; x += 2 {
					i := (y*c.w + x) * 3
					sum[0], sum[1], sum[2] = sum[0]+int(c.pix[i]), sum[1]+int(c.pix[i+1]), sum[2]+int(c.pix[i+2])
				}
			}
			k := ((x1 - x0 + 1) / 2) * ((y1 - y0 + 1) / 2)
			c.rect(x0, y0, x1, y1, rgb{uint8(sum[0] / k), uint8(sum[1] / k), uint8(sum[2] / k)})
		}
	}
}
