package camera

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
)

// dice gives the same numbers for the same names on every machine.
type dice struct{ *rand.Rand }

func roll(names ...any) dice {
	h := fnv.New64a()
	_, _ = fmt.Fprintln(h, names...) // a hash takes everything
	return dice{rand.New(rand.NewPCG(h.Sum64(), 0xca3e7a))}
}

func (d dice) in(lo, hi float64) float64 { return lo + d.Float64()*(hi-lo) }

// way is 1 or -1.
func (d dice) way() float64 { return float64(2*d.IntN(2) - 1) }

// path is how a hand moves something: a drift, swings that grow smaller as they grow faster, a tremble, and at one moment a jerk.
type path struct {
	at0, drift       float64
	swings           [4][3]float64 // amplitude, radians a second, phase
	jerk, when, pace float64
}

// path moves by about speed a second; wide is how far it may swing.
func (d dice) path(at0, speed, tremble float64) path {
	p := path{at0: at0, drift: speed * d.in(-0.5, 0.5)}
	for i, hertz := range []float64{d.in(0.1, 0.3), d.in(0.3, 0.7), d.in(0.7, 1.4)} {
		p.swings[i] = [3]float64{speed * d.in(0.3, 0.9) / (2 * math.Pi * hertz), 2 * math.Pi * hertz, d.in(0, 6.3)}
	}
	p.swings[3] = [3]float64{tremble, 2 * math.Pi * d.in(2, 4), d.in(0, 6.3)}
	return p
}

func (p path) at(t float64) float64 {
	v := p.at0 + p.drift*t
	for _, s := range p.swings {
		v += s[0] * math.Sin(s[1]*t+s[2])
	}
	if p.jerk != 0 {
		v += p.jerk / (1 + math.Exp(-(t-p.when)*p.pace))
	}
	return v
}
