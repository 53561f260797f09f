package evening_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const seeds = 4

// playDraws plays the same evening with many draws and checks what must hold of each.
func playDraws(t *testing.T, o Options) (usable, lost int) {
	t.Helper()
	for seed := range uint64(seeds) {
		o.Seed = seed
		r, err := Play(o)
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
	o := Defaults()
	o.Spread = 4 * time.Hour
	usable, lost := playDraws(t, o)
	require.Equal(t, seeds*400, usable)
	require.Zero(t, lost)
}

// Forty goals within two hours are more than one account can search in its time. Time without calls does not count against a goal,
// so that all get their searches, later.
func TestFourteenMatchesAtOnceLoseNothing(t *testing.T) {
	t.Parallel()
	o := Defaults()
	usable, lost := playDraws(t, o)
	require.Equal(t, seeds*400, usable)
	require.Zero(t, lost)

	together, err := Draws(o, seeds)
	require.NoError(t, err)
	o.Alone = true
	alone, err := Draws(o, seeds)
	require.NoError(t, err)
	require.Less(t, together.Calls, alone.Calls, "sharing saves calls")
}

// As many goals get a clip, sooner, for at most a tenth more calls.
func TestClipsComeSoonerThanWithASearchAMinute(t *testing.T) {
	t.Parallel()
	for name, spread := range map[string]time.Duration{"three waves": 4 * time.Hour, "all at once": 0} {
		o := Defaults()
		o.Spread = spread
		now, err := Draws(o, seeds)
		require.NoError(t, err)
		o.At = EveryMinute()
		minutes, err := Draws(o, seeds)
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
	o := Defaults()
	o.Outage = 40 * time.Minute
	r, err := Play(o)
	require.NoError(t, err)
	lost := r.Lost()
	require.NotEmpty(t, lost)
	for _, g := range lost {
		require.Less(t, g.Usable, 10)
		require.Contains(t, []string{"tries_used", "window_over"}, g.Lost)
	}
}
