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

// Forty goals within two hours are more than one account can search in its time. That nobody can search does not count against a goal,
// so that all get their searches, later.
func TestFourteenMatchesAtOnceLoseNothing(t *testing.T) {
	t.Parallel()
	o := evening.Defaults()
	usable, lost := play(t, o)
	require.Equal(t, seeds*400, usable)
	require.Zero(t, lost)

	together, err := evening.Draws(o, seeds)
	require.NoError(t, err)
	o.Alone = true
	alone, err := evening.Draws(o, seeds)
	require.NoError(t, err)
	require.Less(t, together.Calls, alone.Calls, "sharing saves calls")
}

// As many goals get a clip, sooner, for at most a tenth more calls.
func TestClipsComeSoonerThanWithASearchAMinute(t *testing.T) {
	t.Parallel()
	for name, spread := range map[string]time.Duration{"three waves": 4 * time.Hour, "all at once": 0} {
		o := evening.Defaults()
		o.Spread = spread
		now, err := evening.Draws(o, seeds)
		require.NoError(t, err)
		o.At = evening.EveryMinute()
		minutes, err := evening.Draws(o, seeds)
		require.NoError(t, err)
		got, of, median, upper := now.Clips()
		gotBefore, ofBefore, medianBefore, upperBefore := minutes.Clips()
		require.Equal(t, ofBefore, of)
		require.GreaterOrEqual(t, got, gotBefore*98/100, name)
		require.LessOrEqual(t, now.CallsEach(), minutes.CallsEach()*1.1, name)
		require.LessOrEqual(t, median, medianBefore*11/10, name)
		if spread > 0 { // else the budget decides
			require.Less(t, median, medianBefore*9/10, name)
			require.Less(t, upper, upperBefore, name)
		}
	}
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
