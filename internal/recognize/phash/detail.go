package phash

import "slices"

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
		row := change[r*detailCols : (r+1)*detailCols]
		sorted := slices.Sorted(slices.Values(row))
		m := (sorted[3] + sorted[4]) / 2 // the median of eight
		for _, v := range row {
			out <<= 1
			if v > m {
				out |= 1
			}
		}
	}
	return out
}
