package check_test

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/stretchr/testify/require"
)

// TestAPartThatFailsWhileNoPageIsOpenIsTold: alerts read what the last looks found, so every part is looked at, not for the page only.
func TestAPartThatFailsWhileNoPageIsOpenIsTold(t *testing.T) {
	t.Parallel()
	c := parsed(t, map[string]string{"FFMPEG": "no-such-ffmpeg"})
	a := opened(t, c)
	look := check.New(check.Options{Config: c, Store: a.Store, Blob: a.Blob, Feed: a.Feed, Source: a.Source, Media: a.Media, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, a.Store.PutState(t.Context(), source.OnX.FetchHealthKey(),
		source.FetchHealth{Failed: make([]string, 10), Reason: footy.ReasonFetchFailed, RestingSince: time.Now()}))
	watchUntil(t, look, health.Fetch, health.StateDown)
	reasons := ""
	for _, p := range look.Last(t.Context()) {
		reasons += p.Reason + "\n"
	}
	require.Contains(t, reasons, "no post of X can be fetched")
	require.Contains(t, reasons, "FFMPEG=no-such-ffmpeg is not installed")

	require.NoError(t, a.Store.PutState(t.Context(), source.OnX.FetchHealthKey(), source.FetchHealth{LastOK: time.Now()}))
	watchUntil(t, look, health.Fetch, health.StateOK)
}

// watchUntil watches until a look has found the part in that state.
func watchUntil(t *testing.T, look *check.Checker, name string, state health.State) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	wg.Go(func() { look.Watch(ctx) })
	require.Eventually(t, func() bool {
		return slices.ContainsFunc(look.Last(ctx), func(p health.Part) bool { return p.Name == name && p.State == state })
	}, time.Minute, 10*time.Millisecond, "%s is never seen %s", name, state)
}
