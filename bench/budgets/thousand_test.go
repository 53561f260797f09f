package budgets_test

import (
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/tools/devtest"
)

// TestACycleOverAThousandLiveMatchesAsksForTwentyACall runs real cycles on a real Temporal. It asserts counts; times are for the bench.
func TestACycleOverAThousandLiveMatchesAsksForTwentyACall(t *testing.T) {
	t.Parallel()
	const matches, calls = 1000, 1000 / 20
	engine := devtest.Start(t, "temporal", "--db", filepath.Join(t.TempDir(), "temporal.db"), "--ui-port", "-1")
	feed := NewFeed()
	srv := httptest.NewServer(feed)
	t.Cleanup(srv.Close)
	r, err := Start(t.Context(), Options{Temporal: engine.Address, Dir: t.TempDir(),
		Set: map[string]string{"API_FOOTBALL_URL": srv.URL, "API_FOOTBALL_KEY": "bench"}})
	require.NoError(t, err)
	t.Cleanup(r.Stop)
	require.NoError(t, r.Seed(t.Context(), feed, matches))
	cycle := func(t *testing.T, id string) Cycle {
		t.Helper()
		c, err := r.Cycle(t.Context(), feed, id, matches)
		require.NoError(t, err)
		require.Equal(t, matches, c.Output.Polled)
		require.Zero(t, c.Output.Failed)
		return c
	}
	_ = cycle(t, "warm-up") // sweeps, which is due every quarter of an hour

	for i, minutes := range []int{0, 1} {
		feed.Tick(minutes) // a clock that moves on is no change
		c := cycle(t, "quiet-"+strconv.Itoa(i))
		require.Equal(t, calls, c.Calls)
		require.LessOrEqual(t, c.Cost.Activities, Budget(matches))
		delete(c.Writes, store.ServiceState) // how many calls are left is written when the last note of it is old
		require.Equal(t, map[store.Collection]Tally{store.FixturesLive: {Calls: calls, Rows: matches}}, c.Writes,
			"where nothing changed only snapshots are written, one bulk write a call")
		require.Zero(t, c.Announced, "where nothing changed nothing is announced")
		require.Zero(t, c.Cost.ByName[monitor.Decide.Name()])
	}

	for id := range int64(3) {
		feed.Goal(FirstID + 100*id)
	}
	c := cycle(t, "three-goals")
	require.Equal(t, calls, c.Calls)
	require.LessOrEqual(t, c.Cost.Activities, Budget(matches))
	require.Equal(t, Tally{Calls: calls, Rows: matches}, c.Writes[store.FixturesLive])
	require.Equal(t, 3, c.Writes[store.FixturesColl].Rows, "only fixtures with news are written")
	require.Equal(t, 3, c.Announced)
}
