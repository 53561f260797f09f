package camera_test

import (
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/world/film/camera"
)

// plain is the plain difference hash of a picture of 144x72: 9x8 cells, left darker than right.
func plain(p *camera.Picture) (hash uint64) {
	var cell [8][9]int
	for y := range 72 {
		for x := range 144 {
			cell[y/9][x/16] += int(p.Pix[y*144+x])
		}
	}
	for y := range 8 {
		for x := range 8 {
			hash <<= 1
			if cell[y][x] < cell[y][x+1] {
				hash |= 1
			}
		}
	}
	return hash
}

// moved are the bits that differ between samples of some films so many seconds apart, sorted.
func moved(apart float64, seconds float64) (out []int) {
	p := camera.NewPicture(144, 72)
	for match := range 3 {
		m := camera.NewMatch(5, match)
		for goal := range 6 {
			f := m.Goal(goal, seconds)
			for t := 0.0; t+apart < seconds; t += 0.25 {
				f.Draw(p, t)
				a := plain(p)
				f.Draw(p, t+apart)
				out = append(out, bits.OnesCount64(a^plain(p)))
			}
		}
	}
	slices.Sort(out)
	return out
}

// TestItMovesAsRealFootageDoes: of 14 real broadcast clips these bits of 64 differed between two samples: quartiles and nine tenths.
func TestItMovesAsRealFootageDoes(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		apart float64
		real  [4]int
	}{{0.125, [4]int{9, 15, 24, 30}}, {0.25, [4]int{15, 23, 29, 33}}} {
		all := moved(tc.apart, 8)
		got := [4]int{all[len(all)/4], all[len(all)/2], all[len(all)*3/4], all[len(all)*9/10]}
		for i, v := range tc.real {
			require.InDelta(t, v, got[i], 3, "%.3f s apart: %v instead of %v", tc.apart, got, tc.real)
		}
	}
}

func TestAFilmIsWhatItsNamesSay(t *testing.T) {
	t.Parallel()
	draw := func(match, goal int) []byte {
		p := camera.NewPicture(144, 72)
		camera.NewMatch(3, match).Goal(goal, 9).Draw(p, 2.2)
		return p.Pix
	}
	first := draw(1, 1)
	require.Equal(t, first, draw(1, 1))
	require.NotEqual(t, draw(1, 1), draw(1, 2))
	require.NotEqual(t, draw(1, 1), draw(2, 1))
}

func TestAnUploadShowsRecordedPicturesOnly(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		upload    camera.Upload
		at, shows float64
	}{
		"as it was":       {camera.Upload{FromRate: 25}, 1.03, 1},
		"cut":             {camera.Upload{FromRate: 25, Cut: 0.9}, 1.03, 1.92},
		"fewer a second":  {camera.Upload{FromRate: 25, Rate: 10}, 1.19, 1.08},
		"more a second":   {camera.Upload{FromRate: 10, Rate: 60}, 1.19, 1.1},
		"faster":          {camera.Upload{FromRate: 25, Speed: 1.06}, 1, 1.04},
		"cut and slower":  {camera.Upload{FromRate: 50, Cut: 0.5, Speed: 0.94}, 1, 1.44},
		"its first frame": {camera.Upload{FromRate: 25, Cut: 0.5}, 0, 0.48},
	} {
		require.InDelta(t, tc.shows, tc.upload.Shows(tc.at), 1e-9, name)
	}
	require.InDelta(t, 9.1, camera.Upload{Cut: 0.9}.Length(10), 1e-9)
	require.InDelta(t, 4, camera.Upload{Cut: 0.9, Seconds: 4}.Length(10), 1e-9)
	require.InDelta(t, 5, camera.Upload{Speed: 2}.Length(10), 1e-9)
}
