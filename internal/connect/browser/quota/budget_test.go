package quota_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/browser/quota"
)

var now = time.Date(2026, 3, 14, 15, 0, 0, 0, time.UTC)

func take(b *quota.Budget, at time.Time, n int) (taken int, wait time.Duration) {
	for range n {
		w, ok := b.Take(at)
		if !ok {
			return taken, w
		}
		taken++
	}
	return taken, 0
}

func TestFortyCallsInAQuarterOfAnHour(t *testing.T) {
	t.Parallel()
	b := quota.NewBudget(quota.Options{})
	taken, wait := take(b, now, 99)
	require.Equal(t, 40, taken)
	require.Equal(t, 15*time.Minute, wait)
	_, ok := b.Take(now.Add(15*time.Minute - 1))
	require.False(t, ok)
	taken, _ = take(b, now.Add(15*time.Minute), 99)
	require.Equal(t, 40, taken)
}

func TestNoWindowEverHoldsMoreThanTheLimit(t *testing.T) {
	t.Parallel()
	b := quota.NewBudget(quota.Options{Limit: 10, Window: time.Minute})
	rng := rand.New(rand.NewPCG(1, 2))
	var calls []time.Time
	for at := now; at.Before(now.Add(20 * time.Minute)); at = at.Add(time.Duration(rng.Int64N(int64(4 * time.Second)))) {
		if _, ok := b.Take(at); ok {
			calls = append(calls, at)
		}
	}
	require.Greater(t, len(calls), 150)
	for i := 10; i < len(calls); i++ {
		require.GreaterOrEqual(t, calls[i].Sub(calls[i-10]), time.Minute)
	}
}

func TestXsOwnCountIsBelieved(t *testing.T) {
	t.Parallel()
	b := quota.NewBudget(quota.Options{})
	_, _ = b.Take(now)
	reset := now.Add(4 * time.Minute)
	b.Observe(now, quota.Headers{Limit: 50, Remaining: 12, Reset: reset}) // the person has been reading a lot
	require.Equal(t, 2, b.State(now).Left, "ten are left to the person")
	taken, wait := take(b, now, 9)
	require.Equal(t, 2, taken)
	require.Equal(t, 4*time.Minute, wait)
	taken, _ = take(b, reset, 99)
	require.Equal(t, 37, taken, "three of our own calls are still in the window")
}

func TestHeadersOfAnotherClockAreIgnored(t *testing.T) {
	t.Parallel()
	for _, reset := range []time.Time{now.Add(-time.Hour), now, now.Add(24 * time.Hour), {}} {
		b := quota.NewBudget(quota.Options{})
		b.Observe(now, quota.Headers{Limit: 50, Remaining: 0, Reset: reset})
		_, ok := b.Take(now)
		require.True(t, ok, reset)
	}
}

func TestARefusalBlocksUntilTheReset(t *testing.T) {
	t.Parallel()
	b := quota.NewBudget(quota.Options{})
	b.Block(now, now.Add(7*time.Minute))
	wait, ok := b.Take(now.Add(time.Minute))
	require.False(t, ok)
	require.Equal(t, 6*time.Minute, wait)
	require.Equal(t, now.Add(7*time.Minute), b.State(now).ResetsAt)
	_, ok = b.Take(now.Add(7 * time.Minute))
	require.True(t, ok)

	blind := quota.NewBudget(quota.Options{})
	blind.Block(now, time.Time{})
	require.Equal(t, time.Minute, blind.State(now).Wait, "without a reset the wait has a floor")
	blind.Block(now, now.Add(1000*time.Hour))
	require.Equal(t, 30*time.Minute, blind.State(now).Wait, "and a ceiling")
}

func TestWhatWasNotUsedComesBack(t *testing.T) {
	t.Parallel()
	b := quota.NewBudget(quota.Options{Limit: 1})
	_, ok := b.Take(now)
	require.True(t, ok)
	b.Refund()
	require.Equal(t, 1, b.State(now).Left)
}
