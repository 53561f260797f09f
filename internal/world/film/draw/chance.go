package draw

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
)

// chance is a random source that gives the same film for the same names on every machine.
type chance struct{ *rand.Rand }

func newChance(names ...any) chance {
	h := fnv.New64a()
	fmt.Fprint(h, names...)
	return chance{rand.New(rand.NewPCG(h.Sum64(), 0x9E3779B97F4A7C15))}
}

func (c chance) between(lo, hi float64) float64 { return lo + c.Float64()*(hi-lo) }

func (c chance) colour(lo, hi int) rgb {
	f := func() uint8 { return uint8(lo + c.IntN(hi-lo+1)) }
	return rgb{f(), f(), f()}
}

// wave is a smooth path: a line with two swings.
type wave struct{ base, drift, amp1, freq1, ph1, amp2, freq2, ph2 float64 }

func (c chance) wave(base, drift, amp float64) wave {
	return wave{base, drift, c.between(0.5, 1) * amp, c.between(0.5, 1.4), c.between(0, 6.28),
		c.between(0.1, 0.3) * amp, c.between(2, 4), c.between(0, 6.28)}
}

func (w wave) at(t float64) float64 {
	return w.base + w.drift*t + w.amp1*math.Sin(w.freq1*t+w.ph1) + w.amp2*math.Sin(w.freq2*t+w.ph2)
}

func sqrt(x float64) float64 { return math.Sqrt(x) }
