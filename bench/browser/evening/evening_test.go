package evening_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/bench/browser/evening"
)

const seeds = 4

// play plays the same evening with many draws and checks what must hold of each.
func play(t *testing.T, o evening.Options) (usable, lost int) {
	t.Helper()
	for seed := range uint64(seeds) {
		o.Seed = seed
		r, err := evening.Play(o)
		require.NoError(t, err)
		require.Len(t, r.Goals, o.Goals)
		for _, g := range r.Goals {
			require.True(t, g.Usable == 10 || g.Lost != "", "a goal without its ten searches says why: %+v", g)
		}
		require.Zero(t, r.Refused, "X never has to refuse")
		t.Logf("draw %2d: %s", seed, r)
		if seed == 0 {
			var table bytes.Buffer
			require.NoError(t, r.Write(&table))
			t.Log("\n" + table.String())
		}
		usable += r.Usable()
		lost += len(r.Lost())
	}
	return usable, lost
}

func TestAnEveningInThreeWavesLosesNothing(t *testing.T) {
	t.Parallel()
	o := evening.Defaults()
	o.Spread = 4 * time.Hour
	usable, lost := play(t, o)
	require.Equal(t, seeds*400, usable)
	require.Zero(t, lost)
}

// Forty goals within two hours are more than one account can search, even with what sharing saves. Who loses searches
// depends on where the goals fall; that they are few, and that each says so, does not.
func TestFourteenMatchesAtOnceLoseLittleAndSaySo(t *testing.T) {
	t.Parallel()
	usable, lost := play(t, evening.Defaults())
	require.GreaterOrEqual(t, usable, seeds*400*97/100)
	require.LessOrEqual(t, lost, seeds*40/10)

	alone := evening.Defaults()
	alone.Alone = true
	without, _ := play(t, alone)
	require.Less(t, without, usable, "sharing is what makes it possible")
}

func TestAnOutageIsNamed(t *testing.T) {
	t.Parallel()
	o := evening.Defaults()
	o.Outage = 40 * time.Minute
	r, err := evening.Play(o)
	require.NoError(t, err)
	lost := r.Lost()
	require.NotEmpty(t, lost)
	for _, g := range lost {
		require.Less(t, g.Usable, 10)
		require.Contains(t, []string{"tries_used", "window_over"}, g.Lost)
	}
}
