package monitor_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
)

// TestAFeedWithoutItsKeyIsNotPolled: the matches of a state stay when the key of their feed is taken away.
func TestAFeedWithoutItsKeyIsNotPolled(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	require.NoError(t, b.store.Add(t.Context(), footy.Fixture{ID: 7, Stage: footy.StageActive, Match: footy.Match{Kickoff: b.now.Add(-time.Hour)}}))
	require.NotEmpty(t, b.plan("p").Calls)
	b.now = b.now.Add(time.Hour)
	b.acts.Feed = nil
	require.Empty(t, b.plan("q").Calls)
}

func TestTodaysListIsAskedForEachHourUntilItIsThere(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.now = kickoff.UTC().Truncate(24 * time.Hour).Add(5 * time.Minute)
	require.Nil(t, b.plan("p").Ingest, "without a feed there is nothing to ask")
	in := ingest.Defaults()
	b.acts.Ingest = &in
	keep := func(l ingest.LastIngest) { require.NoError(t, b.store.PutState(t.Context(), ingest.StateKey, l)) }
	day := b.now.Format(time.DateOnly)

	require.Nil(t, b.plan("p").Ingest, "the schedule is about to")
	b.now = b.now.Add(time.Hour)
	require.Equal(t, &in, b.plan("p").Ingest, "nobody did")
	keep(ingest.LastIngest{Date: "2020-01-01", Tried: b.now})
	require.Nil(t, b.plan("p").Ingest, "it failed just now")
	b.now = b.now.Add(59 * time.Minute)
	require.Nil(t, b.plan("p").Ingest)
	b.now = b.now.Add(time.Minute)
	require.NotNil(t, b.plan("p").Ingest)
	online := false
	b.acts.Online = func(context.Context) bool { return online }
	keep(ingest.LastIngest{Since: b.now.Add(-time.Hour), Tried: b.now, Unreached: true, Offline: true})
	b.now = b.now.Add(6 * time.Minute)
	require.Nil(t, b.plan("p").Ingest, "it is offline still: one look said so")
	online = true
	require.NotNil(t, b.plan("p").Ingest, "at once when the network is there")
	keep(ingest.LastIngest{Date: day, At: b.now})
	require.Nil(t, b.plan("p").Ingest)
	b.now = b.now.AddDate(0, 0, 1)
	require.NotNil(t, b.plan("p").Ingest, "the next day has a list of its own")
}
