package quota_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/browser/quota"
	"github.com/found-footy/found-footy/internal/connect/source"
)

func begin(r *quota.Quota, at time.Time, match, text string) (paid bool, wait time.Duration) {
	if _, ok := r.Find(at, query(match, text)); ok {
		return false, 0
	}
	s, wait := r.Begin(at, r.Widen(at, query(match, text)))
	return s != nil, wait
}

func TestAGoalWithPeersLooksAgainSoon(t *testing.T) {
	t.Parallel()
	r := quota.New(quota.Options{Limit: 1}, 1, 3)
	paid, _ := begin(r, now, "1", "a")
	require.True(t, paid)
	_, wait := begin(r, now, "1", "b")
	require.Equal(t, time.Minute, wait, "the other goal of its match may have paid by then")
}

// TestAGoalThatIsNotCertainTakesNothingThatOthersNeed: one page at its second sighting, while more than half of the window is left.
func TestAGoalThatIsNotCertainTakesNothingThatOthersNeed(t *testing.T) {
	t.Parallel()
	r := quota.New(quota.Options{Limit: 4}, 1, 3)
	ahead := func(sighting int) source.Query {
		q := query("1", "a")
		q.Ahead = sighting
		return q
	}
	for sighting, want := range []bool{true, false, true, false, false} { // 0: it is certain
		require.Equal(t, want, r.Spares(now, ahead(sighting)), "sighting %d", sighting)
	}
	s, _ := r.Begin(now, r.Widen(now, ahead(2)))
	require.NotNil(t, s)
	require.False(t, s.Scroll(), "one page")
	require.True(t, r.Spares(now, ahead(2)), "three of four are left")
	_, paid := r.Budget.Take(now)
	require.True(t, paid)
	require.False(t, r.Spares(now, ahead(2)), "half of it is gone")
	require.True(t, r.Spares(now, ahead(0)))
}

func TestScrollsAreForPlenty(t *testing.T) {
	t.Parallel()
	r := quota.New(quota.Options{Limit: 8}, 1, 3)
	var scrolls []int
	for range 8 {
		s, _ := r.Begin(now, r.Widen(now, query("1", "a")))
		n := 0
		for s.Scroll() {
			n++
		}
		scrolls = append(scrolls, n)
	}
	require.Equal(t, []int{3, 3, 3, 3, 1, 1, 0, 0}, scrolls)
}

func TestAnAnswerServesTheOtherGoal(t *testing.T) {
	t.Parallel()
	r := quota.New(quota.Options{Limit: 2}, 1, 3)
	paid, _ := begin(r, now, "2", "z")
	require.True(t, paid)
	_, ok := r.Find(now, query("1", "a"))
	require.False(t, ok)
	widened := r.Widen(now, query("1", "b"))
	require.Equal(t, "b OR a", widened.Query.Text)
	got := r.Deliver(now, widened, source.Result{State: source.StateEmpty, CallsUsed: 1})
	require.Equal(t, source.StateEmpty, got.State)
	res, ok := r.Find(now.Add(time.Minute), query("1", "a"))
	require.True(t, ok)
	require.Equal(t, source.StateEmpty, res.State)
	require.Zero(t, res.CallsUsed)
}
