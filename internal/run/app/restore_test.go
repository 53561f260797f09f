package app_test

import (
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/state"
	"github.com/stretchr/testify/require"
)

// TestWhatWasScoredBeforeARestoreIsNoNews: goals that became certain after the backup are seen again, and were told of.
func TestWhatWasScoredBeforeARestoreIsNoNews(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := parsed(t, map[string]string{"BACKUP_DIR": filepath.Join(t.TempDir(), "backups"), "STATE_DIR": dir})
	open := func() *app.App {
		a, err := app.New(t.Context(), c, slog.New(slog.DiscardHandler), "test")
		require.NoError(t, err)
		return a
	}
	x, told := footy.Fixture{}, footy.Event{Kind: footy.KindGoal, HappenedAt: time.Now().Add(-time.Second)}
	a := open()
	f, err := a.Chosen(t.Context())
	require.NoError(t, err)
	require.True(t, f.Wants(&x, &told))
	require.NoError(t, a.Close())
	_, err = state.Backup(t.Context(), c, "test", "")
	require.NoError(t, err)
	_, err = state.Restore(t.Context(), c, state.RestoreOptions{From: c.Backup.Dir, Force: true})
	require.NoError(t, err)

	a = open()
	defer a.Close()
	f, err = a.Chosen(t.Context())
	require.NoError(t, err)
	require.False(t, f.Wants(&x, &told))
	require.True(t, f.Wants(&x, &footy.Event{Kind: footy.KindGoal, HappenedAt: time.Now()}))
}
