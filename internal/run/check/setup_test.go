package check_test

import (
	"log/slog"
	"testing"

	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/stretchr/testify/require"
)

func parsed(t *testing.T, set map[string]string) config.Config {
	t.Helper()
	vars := map[string]string{"STATE_DIR": t.TempDir(), "SOURCES": "xweb,xapi", "FEED": "api-football", // nothing here asks Reddit or ESPN itself
		"FFMPEG": "true", "FFPROBE": "true"} // a look starts both, which take a hundred times as long to start
	for k, v := range set {
		vars[k] = v
	}
	c, err := config.Parse(vars)
	require.NoError(t, err)
	return c
}

func opened(t *testing.T, c config.Config) *app.App {
	t.Helper()
	a, err := app.New(t.Context(), c, slog.New(slog.DiscardHandler), "test")
	require.NoError(t, err)
	t.Cleanup(func() { _ = a.Close() })
	return a
}
