package app_test

import (
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/app"
	"github.com/found-footy/found-footy/internal/footy"
)

func TestAnAuditNeedsADatabase(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "typo")
	c := parsed(t, map[string]string{"STATE_DIR": dir})
	for _, repair := range []bool{false, true} {
		_, err := app.AuditOnce(t.Context(), c, slog.New(slog.DiscardHandler), "test", repair)
		require.True(t, footy.IsNotFound(err), "an empty state is no sound one: %v", err)
		require.ErrorContains(t, err, "STATE_DIR")
		require.NoDirExists(t, dir)
	}
}
