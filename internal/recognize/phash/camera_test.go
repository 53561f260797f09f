package phash_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/phash"
	"github.com/found-footy/found-footy/internal/world/film/camera"
)

// sampled decodes an upload of a film as ffmpeg would, with an encoder's noise; crop is cut off at each side.
func sampled(f *camera.Film, u camera.Upload, crop float64, r *rand.Rand) footy.Samples {
	n := int(u.Length(f.Seconds)/footy.SampleInterval + 0.5)
	s := footy.Samples{Interval: footy.SampleInterval, Duration: float64(n) * footy.SampleInterval}
	seen := camera.NewPicture(int(width/(1-2*crop)+0.5), int(height/(1-2*crop)+0.5))
	dx, dy := (seen.W-width)/2, (seen.H-height)/2
	before := -1.0
	for k := range n {
		t := u.Shows((float64(k)+0.5)*footy.SampleInterval - 1e-4)
		if t == before { // a frame shown twice
			s.Pix = append(s.Pix, s.Pix[k-1])
			continue
		}
		before = t
		f.Draw(seen, t)
		p := make([]byte, width*height)
		for i := range p {
			p[i] = byte(max(0, min(255, int(seen.Pix[(i/width+dy)*seen.W+i%width+dx])+r.IntN(7)-3)))
		}
		s.Pix = append(s.Pix, p)
	}
	return s
}

// uploads are what happens to a film that was recorded at so many pictures a second.
func uploads(rate float64, r *rand.Rand) map[string]camera.Upload {
	rates := []float64{24, 25, 30, 50, 60}
	out := map[string]camera.Upload{
		"as it was":       {},
		"cut by 0.9":      {Cut: 0.9},
		"half a sample":   {Cut: 0.125},
		"fewer pictures":  {Rate: 24},
		"slower":          {Speed: 0.94},
		"faster":          {Speed: 1.06},
		"cut, rate":       {Cut: 0.05 + r.Float64(), Rate: rates[r.IntN(len(rates))]},
		"cut, rate, pace": {Cut: 0.05 + r.Float64(), Rate: rates[r.IntN(len(rates))], Speed: 0.94 + 0.12*r.Float64()},
	}
	for name, u := range out {
		u.FromRate = rate
		out[name] = u
	}
	return out
}

// TestCopiesOfFootageThatMovesAsRealFootageDoes: copies that were never sampled at the moments of their original are known for what
// they are, and goals seen by one camera over one pitch stay apart. bench-clips measures the same with real files and encoders.
func TestCopiesOfFootageThatMovesAsRealFootageDoes(t *testing.T) {
	t.Parallel()
	type copied struct {
		goal, name string
		short      bool
		print      *phash.Prepared
	}
	var all []copied
	r := rand.New(rand.NewPCG(12, 10))
	for match := range 2 {
		m := camera.NewMatch(4, match)
		for goal, seconds := range []float64{5, 10, 5} {
			f := m.Goal(goal, seconds)
			made := uploads([]float64{25, 30, 50}[goal], r)
			for _, name := range slices.Sorted(maps.Keys(made)) {
				crop := 0.0
				if name == "cut, rate" {
					crop = 0.04
				}
				all = append(all, copied{fmt.Sprint(match, goal), name, seconds < 7.5, phash.Prepare(phash.Build(sampled(f, made[name], crop, r)))})
			}
		}
	}
	found, of := map[bool]int{}, map[bool]int{}
	for i, a := range all {
		for _, b := range all[i+1:] {
			m := a.print.Compare(b.print)
			if a.goal != b.goal {
				require.False(t, m.Same, "goal %s %s = goal %s %s: %+v", a.goal, a.name, b.goal, b.name, m)
				continue
			}
			of[a.short]++
			if m.Same {
				found[a.short]++
			}
		}
	}
	require.GreaterOrEqual(t, float64(found[true])/float64(of[true]), 0.95, "of clips of 5 s")
	require.GreaterOrEqual(t, float64(found[false])/float64(of[false]), 0.98, "of longer ones")
}
