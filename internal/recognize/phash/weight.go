package phash

import (
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
)

// trait is what the weight of a sample is made of.
type trait struct {
	texture float64
	small   [24 * 12]uint8 // the picture in coarse cells, to see whether it moves
}

func traitOf(pix []byte, a area) trait {
	var t trait
	x0, y0, x1, y1 := a.inside()
	sum := 0
	for y := y0; y < y1; y++ {
		row := pix[y*width : (y+1)*width]
		for x := x0 + 1; x < x1; x++ {
			sum += step(row[x], row[x-1])
		}
	}
	t.texture = float64(sum) / float64(max(1, (x1-x0)*(y1-y0)))
	for cy := range 12 {
		for cx := range 24 {
			s := 0
			for y := cy * 6; y < cy*6+6; y++ {
				for x := cx * 6; x < cx*6+6; x++ {
					s += int(pix[y*width+x])
				}
			}
			t.small[cy*24+cx] = uint8(s / 36)
		}
	}
	return t
}

func motion(a, b *trait) float64 {
	sum := 0
	for i := range a.small {
		sum += step(a.small[i], b.small[i])
	}
	return float64(sum) / float64(len(a.small))
}

// setWeights gives each sample its weight: none without texture, none while the picture stands still.
func setWeights(frames []footy.Frame, traits []trait, beat int) {
	for i := range frames {
		move := 0.0
		if i >= beat {
			move = max(move, motion(&traits[i-beat], &traits[i]))
		}
		if i+beat < len(traits) {
			move = max(move, motion(&traits[i], &traits[i+beat]))
		}
		frames[i].Weight = uint8(255 * ramp(traits[i].texture, 1.0, 2.5) * ramp(move, 0.3, 1.2))
	}
}

func ramp(v, lo, hi float64) float64 { return max(0, min(1, (v-lo)/(hi-lo))) }

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
