package phash

import (
	"math/bits"
	"slices"
)

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

// Some uploaders put a picture before a blurred copy of itself: a broadcast in an upright frame, an upright film in a
// wide one. The sharp band is the footage; the rest is decoration. It is found by detail along each line: blur takes
// most of it away, at the same lines in every sample.

const (
	blurredDetail = 0.5  // detail of a blurred line, at most, relative to the band's mean
	minBand       = 0.2  // share of the axis that the band must have
	maxBand       = 0.86 // above this the sides are too thin to tell blur from chance
	offCentre     = 3    // lines by which the two sides may differ
)

// sharpBand narrows an area to the sharp band along one axis, if there is one.
func sharpBand(detail []float64) (lo, hi float64, ok bool) {
	n := len(detail)
	sum := make([]float64, n+1)
	for i, d := range detail {
		sum[i+1] = sum[i] + d
	}
	best := 0.0
	for a := int(float64(n)*(1-maxBand)/2) + 1; a < n/2; a++ {
		for b := n - a - offCentre; b <= n-a+offCentre; b++ {
			if b >= n-2 || float64(b-a) < minBand*float64(n) {
				continue
			}
			in := (sum[b-1] - sum[a+1]) / float64(b-a-2)
			if slices.Max(detail[:a]) > blurredDetail*in || slices.Max(detail[b:]) > blurredDetail*in {
				continue
			}
			// Of all bands with dull sides the best has its own edge lines sharp: step up and step down are steepest.
			if step := (sum[a+2] - sum[a]) - (sum[a] - sum[a-2]) + (sum[b] - sum[b-2]) - (sum[b+2] - sum[b]); step > best {
				best, lo, hi, ok = step, float64(a), float64(b), true
			}
		}
	}
	if ok { // the edge lines are part blur, part picture
		lo, hi = lo+0.5, hi-0.5
	}
	return lo, hi, ok
}

const (
	movingDetail = 0.3 // share of what footage changes that a line of it changes at least
	mostGap      = 8   // lines that stand within footage: a graphic, even grass
)

// Footage finds, in samples of a frame that is higher than a broadcast, the lines that show one, in parts of the height: bars and captions
// do not change, and a blurred copy of it changes without detail.
func Footage(pix [][]byte) (top, bottom float64) {
	rows := make([]float64, height)
	for i := 1; i < len(pix); i++ {
		old, now := pix[i-1], pix[i]
		for k := 1; k < len(now); k++ {
			if d := int(now[k]) - int(old[k]) - int(now[k-1]) + int(old[k-1]); k%width > 0 {
				rows[k/width] += float64(max(d, -d))
			}
		}
	}
	level := movingDetail * slices.Sorted(slices.Values(rows))[height*3/4]
	best, from, last := 0, -1, 0
	lo, hi := 0, height
	for y, v := range rows {
		if v <= level {
			continue
		}
		if from < 0 || y-last > mostGap {
			from = y
		}
		if last = y; y-from+1 > best {
			best, lo, hi = y-from+1, from, y+1
		}
	}
	return float64(max(0, lo-1)) / height, float64(min(height, hi+1)) / height
}

// lineDetail sums, over the samples that tell anything, the brightness steps along each row and each column.
func lineDetail(pix [][]byte) (rows, cols []float64) {
	rows, cols = make([]float64, height), make([]float64, width)
	for _, p := range pix {
		if spread(p) < flatSpread {
			continue
		}
		for y := range height {
			row := p[y*width : (y+1)*width]
			for x := 1; x < width; x++ {
				rows[y] += float64(step(row[x], row[x-1]))
			}
			if y == 0 {
				continue
			}
			above := p[(y-1)*width : y*width]
			for x := range width {
				cols[x] += float64(step(row[x], above[x]))
			}
		}
	}
	return rows, cols
}

func step(a, b byte) int {
	if a > b {
		return int(a - b)
	}
	return int(b - a)
}
