package phash

import "slices"

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
