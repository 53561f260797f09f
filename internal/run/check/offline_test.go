package check_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/tell/health"
)

// TestAMachineWithoutANetworkIsSaidOnceAndBlamesNoService: ESPN and Reddit were, each in its own words.
func TestAMachineWithoutANetworkIsSaidOnceAndBlamesNoService(t *testing.T) {
	t.Parallel()
	c := parsed(t, map[string]string{"FEED": "espn"})
	a := opened(t, c)
	require.NoError(t, a.Store.PutState(t.Context(), ingest.StateKey, ingest.LastIngest{Since: time.Now(), Tried: time.Now(), Unreached: true, Offline: true, Why: "ask ESPN: this machine is offline"}))
	look := check.New(check.Options{Config: c, Store: a.Store, Blob: a.Blob, Feed: a.Feed, Source: fakeReddit{err: errors.New("dial tcp: lookup www.reddit.com: server misbehaving")}})
	require.NotEqual(t, network.OfflineWords, part(look.Look(t.Context()), health.Feed).Reason, "another machine's network says nothing of this one")
	look.Offline()
	report := look.Look(t.Context())
	feed, search := part(report, health.Feed), part(report, health.Search)
	require.Equal(t, network.OfflineWords, feed.Reason)
	require.Equal(t, "Connect it. Everything goes on by itself.", feed.Remedy)
	require.True(t, feed.Offline())
	require.Equal(t, health.StateDown, search.State)
	require.Equal(t, "waits until this machine is online", search.Reason)
	require.Empty(t, search.Remedy)
	require.Equal(t, network.OfflineWords, part(report.Public(), health.Feed).Reason, "readers are told, too")
	require.Empty(t, part(report.Public(), health.Search).Reason)
}
