package check_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/tell/health"
)

// TestSinceIsOfThePresentState: after an outage the feed works since its end, and used-up calls are used up since then, not since
// the outage began.
func TestSinceIsOfThePresentState(t *testing.T) {
	t.Parallel()
	c := parsed(t, map[string]string{"API_FOOTBALL_KEY": "0123456789abcdef0123456789abcdef", "API_FOOTBALL_URL": vendor(t, 100, 1)})
	a := opened(t, c)
	look := check.New(check.Options{Config: c, Store: a.Store, Blob: a.Blob, Feed: a.Feed, Source: a.Source, Log: slog.New(slog.DiscardHandler)})
	part := func(set map[string]any) health.Part {
		for key, v := range set {
			require.NoError(t, a.Store.PutState(t.Context(), key, v))
		}
		for _, p := range look.Look(t.Context()).Parts {
			if p.Name == health.Feed {
				return p
			}
		}
		t.Fatal("there is no feed")
		return health.Part{}
	}
	before := part(nil)
	require.Equal(t, health.StateOK, before.State)
	began := time.Now().Add(-40 * time.Minute).UTC().Truncate(time.Second)
	down := part(map[string]any{monitor.OutageKey: monitor.Outage{Since: began, Why: "HTTP 503"}})
	require.Equal(t, health.StateDown, down.State)
	require.True(t, down.Since.Equal(began))

	now := time.Now().UTC()
	used := part(map[string]any{monitor.QuotaKey: feed.Quota{DayLimit: 100, DayRemaining: 0, MinuteLimit: 10, MinuteRemaining: 9, At: now}})
	require.Equal(t, health.StateDegraded, used.State)
	require.False(t, used.Since.Before(now), "it was down until now: %s before %s", used.Since, now)
	require.Equal(t, used.Since, part(nil).Since, "a state that lasts keeps its time")

	again := time.Now()
	works := part(map[string]any{monitor.OutageKey: monitor.Outage{}, monitor.QuotaKey: feed.Quota{DayLimit: 100, DayRemaining: 90, MinuteLimit: 10, MinuteRemaining: 9, At: now}})
	require.Equal(t, health.StateOK, works.State, "%+v", works)
	require.False(t, works.Since.Before(again), "it works since it works again")

	require.Equal(t, health.StateDown, part(map[string]any{monitor.OutageKey: monitor.Outage{Since: began, Why: "HTTP 503"}}).State)
	again = time.Now()
	require.False(t, part(map[string]any{monitor.OutageKey: monitor.Outage{}}).Since.Before(again), "not since before the outage")
}

func TestHealthIsThatOfTheLastLook(t *testing.T) {
	t.Parallel()
	c := parsed(t, nil)
	a := opened(t, c)
	looks := make(chan string, 100)
	look := check.New(check.Options{Config: c, Store: a.Store, Blob: a.Blob, Feed: a.Feed, Source: a.Source, Seen: func(p health.Part) { looks <- p.Name }})
	first := look.Health(t.Context())
	parts := len(looks)
	require.Len(t, first.Parts, parts, "there was no look yet")
	for range 50 {
		require.Equal(t, first, look.Health(t.Context()))
	}
	require.Len(t, looks, parts, "nobody was asked again")
	require.NotEqual(t, first.At, look.Look(t.Context()).At)
}
