package delay

import (
	"math"
	"slices"
)

// Sums of stages that figures begin with.
const (
	SinceSeen = "since_seen" // from the first answer with the goal; how late the feed was stands apart
	Own       = "own"        // from when the goal was certain and its clip posted
)

// Figure is one stage, or a sum of stages, over several goals.
type Figure struct {
	Stage  string  `json:"stage"`
	Words  string  `json:"words"`
	Goals  int     `json:"goals"` // of which it is known
	Median float64 `json:"median_s"`
	P90    float64 `json:"p90_s"` // nine of ten goals took no longer
}

// Figures are those of several ways, each time multiplied: by TIME_SCALE they are seconds of the product. None of no way.
func Figures(ways []Way, times float64) []Figure {
	if len(ways) == 0 {
		return nil
	}
	out := []Figure{
		figure(SinceSeen, "from first seen to the clip", ways, times, func(w Way) (float64, bool) { return w.Whole().Seconds() - w[Told], true }),
		figure(Own, "of this, our own part", ways, times, func(w Way) (float64, bool) {
			return w.Whole().Seconds() - w[Told] - w[Certain] - w[Posted], true
		}),
	}
	for _, s := range stages {
		out = append(out, figure(s.name, s.words, ways, times, func(w Way) (float64, bool) { took, known := w[s.name]; return took, known }))
	}
	return slices.DeleteFunc(out, func(f Figure) bool { return f.Goals == 0 })
}

func figure(stage, words string, ways []Way, times float64, of func(Way) (float64, bool)) Figure {
	var all []float64
	for _, w := range ways {
		if took, known := of(w); known {
			all = append(all, took*times)
		}
	}
	f := Figure{Stage: stage, Words: words, Goals: len(all)}
	if n := len(all); n > 0 {
		slices.Sort(all)
		f.Median, f.P90 = tenths((all[(n-1)/2]+all[n/2])/2), tenths(all[(9*n+9)/10-1])
	}
	return f
}

// tenths of a second are as exact as anybody asks.
func tenths(s float64) float64 { return math.Round(10*s) / 10 }
