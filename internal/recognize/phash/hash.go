package phash

import "math/bits"

// equalise spreads the brightness histogram of the area over the whole range, which takes out brightness, contrast and
// gamma changes. Pixels outside the area go through the same curve.
func equalise(pix []byte, a area, out *[width * height]uint8) {
	x0, y0, x1, y1 := a.inside()
	var hist [256]int
	for y := y0; y < y1; y++ {
		for _, v := range pix[y*width+x0 : y*width+x1] {
			hist[v]++
		}
	}
	total := (x1 - x0) * (y1 - y0)
	var curve [256]uint8
	below := 0
	for v, n := range hist {
		curve[v] = uint8((below*255 + n*255/2) / max(1, total))
		below += n
	}
	for i, v := range pix {
		out[i] = curve[v]
	}
}

// differences returns the horizontal (9x8 cells, left darker than right) and vertical (8x9, upper darker than lower)
// difference bits of an area. Bit 63 is the first cell pair of the first row.
func differences(pix *[width * height]uint8, a area, live rows) (h, v uint64) {
	var wide [8 * 9]float32
	cells(pix, a, live, 9, 8, wide[:])
	var tall [9 * 8]float32
	cells(pix, a, live, 8, 9, tall[:])
	return DHash(wide[:]), darker(tall[:], 8, 8)
}

// DHash is the plain difference hash of 9x8 brightness values, row by row: a bit is set where the left cell is darker
// than its right neighbour.
func DHash[T float32 | uint8](grey []T) uint64 { return darker(grey, 9, 1) }

// darker sets a bit for each of 8x8 values, in rows of so many, that is less than the next one so far on.
func darker[T float32 | uint8](grey []T, row, next int) (h uint64) {
	for y := range 8 {
		for x := range 8 {
			h <<= 1
			if i := y*row + x; grey[i] < grey[i+next] {
				h |= 1
			}
		}
	}
	return h
}

// rows are the lines of an area without a caption over them.
type rows struct{ from, to int }

// cells averages the lines of an area in nx by ny cells; a pixel on a cell's edge counts by its share. A cell
// without such lines is middle grey.
func cells(pix *[width * height]uint8, a area, live rows, nx, ny int, out []float32) {
	var sums [width]float32
	cw, ch := (a.x1-a.x0)/float64(nx), (a.y1-a.y0)/float64(ny)
	for cy := range ny {
		ty, by := max(a.y0+float64(cy)*ch, float64(live.from)), min(a.y0+float64(cy+1)*ch, float64(live.to))
		clear(sums[:])
		for y := max(0, int(ty)); y < height && float64(y) < by; y++ {
			share := float32(min(by, float64(y+1)) - max(ty, float64(y)))
			for x, v := range pix[y*width : (y+1)*width] {
				sums[x] += share * float32(v)
			}
		}
		for cx := range nx {
			lx, rx := a.x0+float64(cx)*cw, a.x0+float64(cx+1)*cw
			var sum float32
			for x := int(lx); x < width && float64(x) < rx; x++ {
				sum += float32(min(rx, float64(x+1))-max(lx, float64(x))) * sums[x]
			}
			out[cy*nx+cx] = 128
			if by > ty {
				out[cy*nx+cx] = sum / float32((by-ty)*cw)
			}
		}
	}
}

// mirrorH returns the horizontal bits of the mirrored picture: each row backwards, each step the other way.
func mirrorH(h uint64) uint64 { return ^mirrorV(h) }

// mirrorV returns the vertical bits of the mirrored picture: each row backwards.
func mirrorV(v uint64) uint64 { return bits.ReverseBytes64(bits.Reverse64(v)) }
