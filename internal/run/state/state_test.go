package state_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/state"
)

func parsed(t *testing.T, set map[string]string) config.Config {
	t.Helper()
	vars := map[string]string{"STATE_DIR": t.TempDir()}
	for k, v := range set {
		vars[k] = v
	}
	c, err := config.Parse(vars)
	require.NoError(t, err)
	return c
}

func opened(t *testing.T, c config.Config) state.State {
	t.Helper()
	s, err := state.Open(t.Context(), c)
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestNothingIsOpenedWhereThereIsNoDatabase(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "typo")
	_, err := state.OpenExisting(t.Context(), parsed(t, map[string]string{"STATE_DIR": dir}), "audit")
	require.True(t, footy.IsNotFound(err), "an empty state is no sound one: %v", err)
	require.ErrorContains(t, err, "STATE_DIR")
	require.NoDirExists(t, dir)
}
