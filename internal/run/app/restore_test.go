package app_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/stretchr/testify/require"
)

// TestWhatWasScoredBeforeARestoreIsNoNews: goals that became certain after the backup are seen again, and were told of.
func TestWhatWasScoredBeforeARestoreIsNoNews(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := parsed(t, map[string]string{"STATE_DIR": dir})
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
	require.NoError(t, store.NoteRestored(t.Context(), a.Store, time.Now()))
	require.NoError(t, a.Close())

	a = open()
	defer a.Close()
	f, err = a.Chosen(t.Context())
	require.NoError(t, err)
	require.False(t, f.Wants(&x, &told))
	require.True(t, f.Wants(&x, &footy.Event{Kind: footy.KindGoal, HappenedAt: time.Now()}))
}
