package phash

import "github.com/found-footy/found-footy/internal/footy"

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

// ramp rises from 0 at lo to 1 at hi.
func ramp(v, lo, hi float64) float64 { return max(0, min(1, (v-lo)/(hi-lo))) }
