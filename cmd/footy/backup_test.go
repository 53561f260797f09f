package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAnEmptyNameIsNoDirectory: a variable that was not set made backups in the directory footy was started in.
func TestAnEmptyNameIsNoDirectory(t *testing.T) {
	t.Parallel()
	here, nothing := t.TempDir(), ""
	require.ErrorContains(t, backupCmd{Dir: &nothing}.Run(t.Context()), `DIR="" names no directory`)
	require.ErrorContains(t, restoreCmd{Dir: nothing}.Run(t.Context()), `DIR="" names no directory`)
	require.ErrorContains(t, restoreCmd{Dir: here, Into: &nothing}.Run(t.Context()), `--into="" names no directory`)
	require.ErrorContains(t, restoreCmd{Dir: here + "/none"}.Run(t.Context()), "is no directory; name a backup")
}
