package phash

import "github.com/found-footy/found-footy/internal/footy"

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
