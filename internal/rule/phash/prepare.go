package phash

import (
	"math/bits"

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
}

// view is one way of looking at a video.
type view struct {
	bits [][4]uint64
	// mask marks, per variant, the bits that vary over the video. A bit that never changes is a score bug, a caption,
	// a watermark or the sky: it says nothing about which goal this is, and it differs between copies.
	mask [4]uint64
}

// Prepare computes what every comparison of fp needs.
func Prepare(fp footy.Fingerprint) *Prepared {
	n := len(fp.Frames)
	p := &Prepared{fp: fp, weights: make([]uint8, n)}
	all := make([][4]uint64, 2*n)
	p.view[0].bits, p.view[1].bits = all[:n:n], all[n:]
	for i, f := range fp.Frames {
		all[i], p.weights[i] = f.Bits, f.Weight
		all[n+i] = [4]uint64{mirrorH(f.Bits[0]), mirrorV(f.Bits[1]), mirrorH(f.Bits[2]), mirrorV(f.Bits[3])}
	}
	p.view[0].mask = varying(fp.Frames)
	for k, m := range p.view[0].mask {
		p.view[1].mask[k] = mirrorV(m)
	}
	return p
}

// steady is the share of telling samples that may differ from the rest before a bit counts as varying.
const steady = 0.06

// varying finds the bits that change over the video. Only samples with weight vote.
func varying(frames []footy.Frame) (mask [4]uint64) {
	// Counters stand upright: plane p holds bit p of the counts of 64 positions, so adding a word is a few ands and xors.
	var planes [4][12]uint64
	voters := 0
	for _, f := range frames {
		if f.Weight == 0 || voters == 4095 {
			continue
		}
		voters++
		for k, w := range f.Bits {
			for p := 0; w != 0; p++ {
				planes[k][p], w = planes[k][p]^w, planes[k][p]&w
			}
		}
	}
	least := max(1, int(float64(voters)*steady))
	for k := range mask {
		for b := range 64 {
			n := 0
			for p := range planes[k] {
				n |= int(planes[k][p]>>b&1) << p
			}
			if n >= least && n <= voters-least {
				mask[k] |= 1 << b
			}
		}
	}
	return mask
}

// telling counts the bits two masks share.
func telling(h, v uint64) int { return bits.OnesCount64(h) + bits.OnesCount64(v) }
