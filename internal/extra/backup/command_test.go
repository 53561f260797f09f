package backup_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/backup"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port/command"
)

// TestAnEmptyNameIsNoDirectory: a variable that is not set must not stand for the directory that footy was started in.
func TestAnEmptyNameIsNoDirectory(t *testing.T) {
	t.Parallel()
	here, nothing, none := t.TempDir(), "", filepath.Join(t.TempDir(), "none")
	require.ErrorContains(t, backup.Cmd{Dir: &nothing}.Run(t.Context(), command.Process{}), `DIR="" names no directory`)
	require.ErrorContains(t, backup.RestoreCmd{Dir: &nothing}.Run(t.Context(), config.Config{}), `DIR="" names no directory`)
	require.ErrorContains(t, backup.RestoreCmd{Dir: &here, Into: &nothing}.Run(t.Context(), config.Config{}), `--into="" names no directory`)
	require.ErrorContains(t, backup.RestoreCmd{Dir: &none}.Run(t.Context(), config.Config{}), "is no directory; name a backup")
}
