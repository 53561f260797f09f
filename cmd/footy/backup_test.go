package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/run/config"
)

// TestAnEmptyNameIsNoDirectory: a variable that is not set must not stand for the directory that footy was started in.
func TestAnEmptyNameIsNoDirectory(t *testing.T) {
	t.Parallel()
	here, nothing, none := t.TempDir(), "", filepath.Join(t.TempDir(), "none")
	require.ErrorContains(t, backupCmd{Dir: &nothing}.Run(t.Context(), config.Config{}), `DIR="" names no directory`)
	require.ErrorContains(t, restoreCmd{Dir: &nothing}.Run(t.Context(), config.Config{}), `DIR="" names no directory`)
	require.ErrorContains(t, restoreCmd{Dir: &here, Into: &nothing}.Run(t.Context(), config.Config{}), `--into="" names no directory`)
	require.ErrorContains(t, restoreCmd{Dir: &none}.Run(t.Context(), config.Config{}), "is no directory; name a backup")
}
