package phash

import (
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
)

// variant indices into Frame.Bits: horizontal and vertical bits of the active picture and of its centre.
const (
	outer = 0
	inner = 2
)

// Prepared is a fingerprint made ready for many comparisons.
type Prepared struct {
	fp      footy.Fingerprint
	view    [2]view // as it is, mirrored
	weights []uint8
	beat    int // in samples

	keeper Keeper // of its comparisons; nil: they are not kept
	name   string // in keeper
}

// view is one way of looking at a video. The words of a variant lie side by side, so that comparing runs along memory.
type view struct {
	words  [4][]uint64
	detail []uint64
	// mask marks, per variant, the bits that vary over the video. A bit that never changes is a score bug, a caption,
	// a watermark or the sky: it says nothing about which goal this is, and it differs between copies.
	mask       [4]uint64
	detailMask uint64
}

// Keeper keeps comparisons by the names of both fingerprints.
type Keeper interface {
	// Comparison is what is kept of a pair, else what compare says.
	Comparison(p, q *Prepared, compare func(p, q *Prepared) footy.Comparison) footy.Comparison
}

// KeptBy has k keep comparisons with others that it knows by name.
func (p *Prepared) KeptBy(k Keeper, name string) *Prepared {
	p.keeper, p.name = k, name
	return p
}

// Name is what its keeper knows it by.
func (p *Prepared) Name() string { return p.name }

// Preparer is Prepare of the fingerprint of a file, by whose digest comparisons may be kept.
type Preparer func(digest string, fp footy.Fingerprint) *Prepared

// Unkept is the Preparer that keeps nothing.
func Unkept(_ string, fp footy.Fingerprint) *Prepared { return Prepare(fp) }

// Seconds is how much of the video was sampled.
func (p *Prepared) Seconds() float64 { return p.fp.Seconds() }

// Prepare computes what every comparison of fp needs.
func Prepare(fp footy.Fingerprint) *Prepared {
	n := len(fp.Frames)
	p := &Prepared{fp: fp, weights: make([]uint8, n), beat: beatOf(fp.Interval)}
	all := make([]uint64, 10*n)
	for v := range p.view {
		for k := range p.view[v].words {
			p.view[v].words[k], all = all[:n:n], all[n:]
		}
		p.view[v].detail, all = all[:n:n], all[n:]
	}
	plain, mirrored := &p.view[0], &p.view[1]
	for i, f := range fp.Frames {
		p.weights[i] = f.Weight
		for k, w := range f.Bits {
			plain.words[k][i], mirrored.words[k][i] = w, mirrorV(w)
		}
		mirrored.words[outer][i], mirrored.words[inner][i] = ^mirrored.words[outer][i], ^mirrored.words[inner][i]
		plain.detail[i], mirrored.detail[i] = f.Detail, mirrorV(f.Detail)
	}
	plain.mask, plain.detailMask = varying(fp.Frames, p.beat)
	mirrored.detailMask = mirrorV(plain.detailMask)
	for k, m := range plain.mask {
		mirrored.mask[k] = mirrorV(m)
	}
	return p
}

// varyingShare is the share of telling samples that may differ from the rest before a bit counts as varying.
const varyingShare = 0.06

// varying finds the bits that change over the video. Only samples with weight vote.
func varying(frames []footy.Frame, beat int) (mask [4]uint64, detail uint64) {
	var counts [5]counter
	voters := 0
	for i := 0; i < len(frames); i += beat {
		f := &frames[i]
		if f.Weight == 0 || voters == 4095 {
			continue
		}
		voters++
		for k, w := range f.Bits {
			counts[k].add(w)
		}
		counts[4].add(f.Detail)
	}
	for k := range mask {
		mask[k] = counts[k].varying(voters)
	}
	return mask, counts[4].varying(voters)
}

// counter counts 64 positions at once. Its planes stand upright: plane p holds bit p of every count, so that adding a
// word is a few ands and xors.
type counter [12]uint64

func (c *counter) add(w uint64) {
	for p := 0; w != 0; p++ {
		c[p], w = c[p]^w, c[p]&w
	}
}

func (c *counter) varying(voters int) (mask uint64) {
	least := max(1, int(float64(voters)*varyingShare))
	for b := range 64 {
		n := 0
		for p := range c {
			n |= int(c[p]>>b&1) << p
		}
		if n >= least && n <= voters-least {
			mask |= 1 << b
		}
	}
	return mask
}

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
