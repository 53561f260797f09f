package phash_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/found-footy/found-footy/internal/recognize/phash"
	"github.com/found-footy/found-footy/internal/recognize/phash/phashtest"
)

func TestTheDifferenceHash(t *testing.T) {
	t.Parallel()
	grey, rising, falling := make([]uint8, 72), make([]uint8, 72), make([]uint8, 72)
	for i := range grey {
		grey[i], rising[i], falling[i] = 90, uint8(10*(i%9)), uint8(90-10*(i%9))
	}
	require.Zero(t, phash.DHash(grey))
	require.Equal(t, ^uint64(0), phash.DHash(rising))
	require.Zero(t, phash.DHash(falling))
	require.Equal(t, 0, phashtest.Distance(0, 0))
	require.Equal(t, 8, phashtest.Distance(0, 0xff))
	require.Equal(t, 64, phashtest.Distance(0, ^uint64(0)))
	require.Equal(t, 4, phashtest.Distance(0xa, 0x5))
}

func TestThePlainComparison(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		a, b   []uint64
		policy phashtest.SimplePolicy
		want   bool
	}{
		"identical":                 {[]uint64{1, 2, 4, 8, 16}, []uint64{1, 2, 4, 8, 16}, phashtest.SimplePolicy{Window: 3}, true},
		"inverted":                  {[]uint64{1, 2, 4}, []uint64{^uint64(1), ^uint64(2), ^uint64(4)}, phashtest.SimplePolicy{MaxBits: 10, Window: 3}, false},
		"shorter than the window":   {[]uint64{1, 2}, []uint64{1, 2}, phashtest.SimplePolicy{Window: 3}, false},
		"a gap that is not allowed": {[]uint64{1, 2, 4, 8, 16}, []uint64{1, 2, ^uint64(0), 8, 16}, phashtest.SimplePolicy{Window: 5}, false},
		"a gap that is":             {[]uint64{1, 2, 4, 8, 16}, []uint64{1, 2, ^uint64(0), 8, 16}, phashtest.SimplePolicy{Window: 5, Gaps: 1}, true},
		"shifted":                   {[]uint64{9, 9, 1, 2, 4}, []uint64{1, 2, 4, 7}, phashtest.SimplePolicy{Window: 3}, true},
		"shifted the other way":     {[]uint64{1, 2, 4, 7}, []uint64{9, 9, 1, 2, 4}, phashtest.SimplePolicy{Window: 3}, true},
		"no window at all":          {[]uint64{1}, []uint64{1}, phashtest.SimplePolicy{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.want, phashtest.MatchSimple(tc.a, tc.b, tc.policy))
		})
	}
}

// TestThePlainComparisonSkipsNothing: it looks at a few pairs only, and finds what looking at all of them finds.
func TestThePlainComparisonSkipsNothing(t *testing.T) {
	t.Parallel()
	naive := func(a, b []uint64, p phashtest.SimplePolicy) bool {
		for off := -len(b); off <= len(a); off++ {
			run := 0
			for i := range a {
				if j := i - off; j < 0 || j >= len(b) || phashtest.Distance(a[i], b[j]) > p.MaxBits {
					run = 0
				} else if run++; run >= p.Window {
					return true
				}
			}
		}
		return false
	}
	rapid.Check(t, func(rt *rapid.T) {
		few := rapid.SliceOfN(rapid.Uint64Range(0, 3), 0, 14)
		a, b := few.Draw(rt, "a"), few.Draw(rt, "b")
		p := phashtest.SimplePolicy{Window: rapid.IntRange(1, 5).Draw(rt, "window")}
		require.Equal(rt, naive(a, b, p), phashtest.MatchSimple(a, b, p))
	})
}

func TestThePlainComparisonAllocatesNothing(t *testing.T) {
	a, b := words(newScene(1)), words(newScene(2))
	require.Zero(t, testing.AllocsPerRun(10, func() { phashtest.MatchSimple(a, b, phashtest.FirstPolicy) }))
}
