package ingest_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/testsuite"

	"github.com/found-footy/found-footy/internal/feed/apifootball"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/httpx"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/world"
	"github.com/found-footy/found-footy/internal/world/script"
)

func last(t *testing.T, a *ingest.Activities) ingest.LastIngest {
	t.Helper()
	var l ingest.LastIngest
	require.NoError(t, a.Store.State(t.Context(), ingest.StateKey, &l))
	return l
}

func TestWhatIsMissingOfTodaysListIsKeptUntilItIsThere(t *testing.T) {
	t.Parallel()
	a, l, now := setup(t)
	first := *now
	l.err = footy.Errorf(footy.CodeUnavailable, "ask feed", "HTTP 503")
	_, err := a.StoreDay(t.Context(), *now)
	require.Error(t, err)
	*now = now.Add(time.Hour)
	l.err = footy.Errorf(footy.CodeRateLimited, "ask feed", "requests: You have reached the request limit for the day")
	_, err = a.StoreDay(t.Context(), *now)
	require.Error(t, err)
	is := last(t, a)
	require.True(t, is.Since.Equal(first))
	require.True(t, is.Tried.Equal(*now))
	require.Equal(t, footy.CodeRateLimited, is.Code)
	require.Contains(t, is.Why, "request limit")
	_, err = a.StoreDay(t.Context(), now.AddDate(0, 0, 1))
	require.Error(t, err)
	require.Equal(t, is, last(t, a), "another day's failure is nothing to ask again for within the hour")

	l.err = nil
	_, err = a.StoreDay(t.Context(), *now)
	require.NoError(t, err)
	_, err = a.StoreDay(t.Context(), now.AddDate(0, 0, 1))
	require.NoError(t, err)
	day, next := now.Format(time.DateOnly), now.AddDate(0, 0, 1).Format(time.DateOnly)
	require.Equal(t, ingest.LastIngest{Date: day, At: *now, Until: next}, last(t, a))

	*now = now.AddDate(0, 0, 1)
	l.err = errors.New("broken")
	_, err = a.StoreDay(t.Context(), *now)
	require.Error(t, err)
	require.True(t, last(t, a).Since.Equal(*now), "each day has a beginning of its own")
}

// TestOneDateWithoutAListInTheWorld goes the whole way to a vendor that fails for one date.
func TestOneDateWithoutAListInTheWorld(t *testing.T) {
	t.Parallel()
	today := 0
	a := inWorld(t, script.Mode{Mode: script.ListDown, Day: &today})
	_, err := a.StoreDay(t.Context(), time.Now())
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
	require.Contains(t, last(t, a).Why, "HTTP 500")
	got, err := a.StoreDay(t.Context(), time.Now().AddDate(0, 0, 1))
	require.NoError(t, err)
	require.False(t, got.Beyond, "it was listed, with what is followed of it")
}

// TestAFreeKeysDaysEndTomorrow: what its plan does not list is noted, and nothing has failed.
func TestAFreeKeysDaysEndTomorrow(t *testing.T) {
	t.Parallel()
	a := inWorld(t, script.Mode{Mode: "free_plan"})
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	env.RegisterActivity(a)
	for day := range 3 {
		out, err := env.ExecuteActivity(a.StoreDay, time.Now().AddDate(0, 0, day))
		require.NoError(t, err)
		var got ingest.Stored
		require.NoError(t, out.Get(&got))
		require.Equal(t, day == 2, got.Beyond)
	}
	is := last(t, a)
	require.Equal(t, time.Now().UTC().AddDate(0, 0, 1).Format(time.DateOnly), is.Until)
	require.Equal(t, time.Now().UTC().AddDate(0, 0, 2).Format(time.DateOnly), is.Beyond)
	require.Zero(t, is.Since)
}

// inWorld has the feed of a simulated day with these manners.
func inWorld(t *testing.T, modes ...script.Mode) *ingest.Activities {
	t.Helper()
	s := script.Default()
	s.Modes = modes
	w, err := world.New(world.Options{Script: s, ClipDir: t.TempDir()})
	require.NoError(t, err)
	require.NoError(t, w.Start(t.Context()))
	t.Cleanup(func() { _ = w.Close() })
	a, _, _ := setup(t)
	a.Now = time.Now
	a.Feed = apifootball.New(apifootball.Options{BaseURL: w.URL() + "/football", Key: "k", Timeout: 2 * time.Second}, httpx.New(httpx.Options{}))
	return a
}
