package espn_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/feed/feedtest"
	"github.com/found-footy/found-footy/internal/footy"
)

// TestALeagueIsAskedForByItsNumberAtAPIFootball: matches of a league share a call, and a poll of the same moment asks nothing more.
func TestALeagueIsAskedForByItsNumberAtAPIFootball(t *testing.T) {
	t.Parallel()
	f, v := start(t)
	v.Lists(feedtest.Match(1, 1), feedtest.Match(2, 0))
	kickoff := feedtest.Match(1, 0).Match.Kickoff
	for range 3 {
		a, err := f.Around(t.Context(), footy.League{ID: 39, Name: "Premier League"}, kickoff)
		require.NoError(t, err)
		require.Equal(t, []int64{1, 2}, ids(a))
		require.True(t, a.Snapshots[0].HasEvents)
	}
	require.Equal(t, 1, v.Calls())
	v.passes(15 * time.Second)
	_, err := f.Around(t.Context(), footy.League{ID: 39}, kickoff)
	require.NoError(t, err)
	require.Equal(t, 2, v.Calls())
	_, err = f.Around(t.Context(), footy.League{ID: 39}, kickoff.Truncate(24*time.Hour).Add(2*time.Hour))
	require.NoError(t, err)
	require.Equal(t, []string{v.path("eng.1", kickoff.AddDate(0, 0, -1).Format("20060102"))}, v.asked[2:], "a match of the night may be New York's yesterday")
}

// TestALeagueThatESPNDoesNotHaveIsAskedForOnceAnHour: it is not there, which is another thing than an answer that did not come.
func TestALeagueThatESPNDoesNotHaveIsAskedForOnceAnHour(t *testing.T) {
	t.Parallel()
	f, v := start(t)
	kickoff := feedtest.Match(1, 0).Match.Kickoff
	_, err := f.Around(t.Context(), footy.League{ID: 9999, Name: "Village Cup"}, kickoff)
	require.True(t, footy.IsNotFound(err))
	require.Zero(t, v.Calls(), "nobody knows its board")
	for range 3 {
		_, err = f.Around(t.Context(), footy.League{ID: 140}, kickoff) // the stand-in has eng.1 alone
		require.True(t, footy.IsNotFound(err))
	}
	require.Equal(t, 1, v.Calls())
	v.passes(time.Hour)
	_, err = f.Around(t.Context(), footy.League{ID: 140}, kickoff)
	require.True(t, footy.IsNotFound(err))
	require.Equal(t, 2, v.Calls())
	v.Fails(feedtest.Down)
	_, err = f.Around(t.Context(), footy.League{ID: 39}, kickoff)
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
}

// TestASecondFeedThatFailsIsLeftAloneSoon: each try may hold up a poll.
func TestASecondFeedThatFailsIsLeftAloneSoon(t *testing.T) {
	t.Parallel()
	f, v := startPatient(t, 2)
	v.Fails(feedtest.Down)
	for range 5 {
		_, err := f.Around(t.Context(), footy.League{ID: 39}, feedtest.Match(1, 0).Match.Kickoff)
		require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
	}
	require.Equal(t, 2, v.Calls())
}
