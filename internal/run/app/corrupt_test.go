package app_test

import (
	"bytes"
	"context"
	"database/sql"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/tools/devtest"
)

// TestACorruptDatabaseHasAPage: a footy that ended instead would tell only its log what to do.
func TestACorruptDatabaseHasAPage(t *testing.T) {
	t.Parallel()
	dir, addr := t.TempDir(), devtest.FreeAddr(t)
	set := map[string]string{"STATE_DIR": dir, "FEED": "espn", "WEB_ADDR": addr}
	a, err := app.New(t.Context(), parsed(t, set), slog.New(slog.DiscardHandler), "test")
	require.NoError(t, err)
	require.NoError(t, a.Close())
	spoil(t, filepath.Join(dir, "footy.db"), "service_state")

	var log lines
	a, err = app.New(t.Context(), parsed(t, set), slog.New(slog.NewTextHandler(&log, nil)), "test")
	require.NoError(t, err)
	defer a.Close()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx, app.Roles{Worker: true, Web: true, Browser: true}) }()
	require.Eventually(t, func() bool {
		res, err := http.Get("http://" + addr + "/readyz")
		if err != nil {
			return len(ended) > 0
		}
		return res.Body.Close() == nil && res.StatusCode == http.StatusServiceUnavailable
	}, time.Minute, 20*time.Millisecond)
	require.Empty(t, ended)
	require.Contains(t, log.String(), "only the page is started")
	stop()
	require.NoError(t, <-ended)
}

// spoil overwrites the first page of a table.
func spoil(t *testing.T, file, table string) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	require.NoError(t, err)
	var page, size int64
	require.NoError(t, db.QueryRowContext(t.Context(), "SELECT rootpage FROM sqlite_schema WHERE name = ?", table).Scan(&page))
	require.NoError(t, db.QueryRowContext(t.Context(), "PRAGMA page_size").Scan(&size))
	require.NoError(t, db.Close())
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	require.NoError(t, err)
	_, err = f.WriteAt(bytes.Repeat([]byte{0xff}, int(size)), (page-1)*size)
	require.NoError(t, err)
	require.NoError(t, f.Close())
}
