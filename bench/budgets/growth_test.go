package budgets_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAPollGrowsWithItsFixtures counts allocations, which no other work on the machine disturbs. It cannot run beside
// other tests for the same reason.
func TestAPollGrowsWithItsFixtures(t *testing.T) {
	for name, all := range map[string]bool{"every fixture decided": true, "nothing changed": false} {
		t.Run(name, func(t *testing.T) {
			each := func(n int) float64 {
				p := NewPoll(n)
				for range 3 {
					p.Once(true)
				}
				return testing.AllocsPerRun(2, func() { p.Once(all) }) / float64(n)
			}
			few, many := each(20), each(2000)
			require.Positive(t, few)
			require.InDelta(t, 1, many/few, 0.1, "%.1f allocations a fixture in a poll of 20, %.1f in one of 2,000", few, many)
		})
	}
}

func TestAQuietPollDecidesNothing(t *testing.T) {
	t.Parallel()
	p := NewPoll(40)
	require.Equal(t, 40, p.Once(false), "matches seen for the first time")
	p.Once(false)
	p.Once(false)
	require.Zero(t, p.Once(false))
}
