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

// Figures are those of several ways, each time multiplied: by TIME_SCALE they are seconds of the product. None of no way. They begin when the
// goals were first seen; what was before that comes last.
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
	for _, s := range stages[1:] {
		out = append(out, figure(s.name, s.words, ways, times, of(s.name)))
	}
	out = append(out, figure(Told, "before it was first seen: "+stages[0].words, ways, times, of(Told)))
	return slices.DeleteFunc(out, func(f Figure) bool { return f.Goals == 0 })
}

func of(stage string) func(Way) (float64, bool) {
	return func(w Way) (float64, bool) { took, known := w[stage]; return took, known }
}

func figure(stage, words string, ways []Way, times float64, took func(Way) (float64, bool)) Figure {
	var all []float64
	for _, w := range ways {
		if s, known := took(w); known {
			all = append(all, s*times)
		}
	}
	f := Figure{Stage: stage, Words: words, Goals: len(all)}
	if n := len(all); n > 0 {
		slices.Sort(all)
		f.Median, f.P90 = thousandths((all[(n-1)/2]+all[n/2])/2), thousandths(all[(9*n+9)/10-1])
	}
	return f
}

// thousandths of a second are what stages are kept in. Rounded further, a figure would be rounded twice on its way to a page.
func thousandths(s float64) float64 { return math.Round(1000*s) / 1000 }
