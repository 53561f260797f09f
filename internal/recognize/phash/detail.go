package phash

import "math"

// detailRows and detailCols are the cells of the detail bits.
const (
	detailRows = 7
	detailCols = 8
)

// detail marks, in each row of cells, the half that changed most since the sample before. Pans of one camera over one
// pitch look alike in every match; what moves on it does not.
func detail(pix, before *[width * height]uint8, a area) uint64 {
	x0, y0, x1, y1 := a.inside()
	w, h := x1-x0, y1-y0
	var change [detailRows * detailCols]float64
	for r := range detailRows {
		for y := y0 + r*h/detailRows; y < y0+(r+1)*h/detailRows; y++ {
			row, old := pix[y*width:(y+1)*width], before[y*width:(y+1)*width]
			for c := range detailCols {
				sum := 0
				from, to := x0+c*w/detailCols, x0+(c+1)*w/detailCols
				for x := from; x < to; x++ {
					sum += step(row[x], old[x])
				}
				change[r*detailCols+c] += float64(sum) / float64(max(1, to-from))
			}
		}
	}
	var out uint64
	for r := range detailRows {
		m := median(change[r*detailCols : (r+1)*detailCols])
		for c := range detailCols {
			out <<= 1
			if change[r*detailCols+c] > m {
				out |= 1
			}
		}
	}
	return out
}

// median of eight: the mean of the fourth and fifth.
func median(v []float64) float64 {
	var s [detailCols]float64
	copy(s[:], v)
	for i := 1; i < len(s); i++ {
		for k := i; k > 0 && s[k] < s[k-1]; k-- {
			s[k], s[k-1] = s[k-1], s[k]
		}
	}
	return math.FMA(0.5, s[3], 0.5*s[4])
}
