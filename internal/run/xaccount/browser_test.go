package xaccount_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/xaccount"
	"github.com/found-footy/found-footy/internal/world"
	"github.com/found-footy/found-footy/tools/devtest"
	"github.com/stretchr/testify/require"
)

// TestTheBrowserSearchesTheSimulatedX brings an account as a person would and searches as a goal would, through the real
// service with a real Chromium.
func TestTheBrowserSearchesTheSimulatedX(t *testing.T) {
	t.Parallel()
	c, err := config.Parse(map[string]string{"STATE_DIR": t.TempDir(), "SOURCES": "xweb,xapi", "FEED": "api-football"})
	require.NoError(t, err)
	if !xaccount.HasChromium(c) {
		t.Skip("Chromium is not installed; make chromium does it")
	}
	w, err := world.New(world.Options{ClipDir: t.TempDir()})
	require.NoError(t, err)
	require.NoError(t, w.Start(t.Context()))
	t.Cleanup(func() { _ = w.Close() })
	c.Browser.URL, c.Browser.Addr = w.URL()+"/x", devtest.FreeAddr(t)
	x := xaccount.Account{Config: c, Log: slog.New(slog.DiscardHandler)}
	require.NoError(t, x.ImportCookies(t.Context(), w.Cookies()))
	a, err := app.New(t.Context(), c, slog.New(slog.DiscardHandler), "test")
	require.NoError(t, err)
	t.Cleanup(func() { _ = a.Close() })
	run(t, c)

	require.Eventually(t, func() bool {
		r, err := x.Status(t.Context())
		return err == nil && r.Login == source.LoginOK && r.Account == "simulated_fan"
	}, time.Minute, 100*time.Millisecond)
	found, err := x.Canary(t.Context(), config.Engine{})
	require.NoError(t, err)
	require.True(t, found.OK, found.Detail)

	res, err := a.Source.Search(t.Context(), source.Query{Text: "golazo", Max: 20, Since: time.Now().Add(-24 * time.Hour)})
	require.NoError(t, err)
	require.Equal(t, source.StateResults, res.State)
	require.Len(t, res.Candidates, 20)
	require.Positive(t, res.CallsUsed)
	for _, p := range res.Candidates {
		require.NotEqual(t, "boots_shop", p.Author, "advertisements are no candidates")
	}
	res, err = a.Source.Search(t.Context(), source.Query{Text: "nobody of that name", Max: 20})
	require.NoError(t, err)
	require.Equal(t, source.StateEmpty, res.State)
	r, err := x.Status(t.Context())
	require.NoError(t, err)
	require.Less(t, r.Budget.Remaining, r.Budget.Limit)
}

// run runs the search service until the test ends.
func run(t *testing.T, c config.Config) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- xaccount.Serve(ctx, c, slog.New(slog.DiscardHandler), nil) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-ended)
	})
}
