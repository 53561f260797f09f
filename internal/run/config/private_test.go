package config_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/run/config"
)

func open(t *testing.T, path string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte("LOG_LEVEL=info\n"), 0o600))
	require.NoError(t, os.Chmod(path, 0o644))
}

func requireClosed(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode().Perm())
}

func TestTheFileOfSettingsIsForItsOwnerAlone(t *testing.T) { // not parallel: the file is that of the working directory
	t.Chdir(t.TempDir())
	open(t, config.File)
	_, err := config.Vars()
	require.NoError(t, err)
	requireClosed(t, config.File)
}

// TestSettingsThatOthersMayWriteAreNotRead: they choose programs, servers and what is posted.
func TestSettingsThatOthersMayWriteAreNotRead(t *testing.T) { // not parallel: idem
	dir := t.TempDir()
	t.Chdir(dir)
	open(t, config.File)
	for path, mode := range map[string]fs.FileMode{filepath.Join(dir, config.File): 0o646, dir: 0o777} {
		before, err := os.Stat(path)
		require.NoError(t, err)
		require.NoError(t, os.Chmod(path, mode))
		_, err = config.Load()
		require.ErrorAs(t, err, &config.Problems{})
		require.ErrorContains(t, err, config.File+" is not read, since others may write it: "+path)
		require.ErrorContains(t, err, "chmod o-w")
		require.NotContains(t, err.Error(), "\n")
		require.NoError(t, os.Chmod(path, before.Mode()))
	}
	_, err := config.Load()
	require.NoError(t, err)
	require.NoError(t, os.Remove(config.File))
	require.NoError(t, os.Chmod(dir, 0o777))
	_, err = config.Load()
	require.NoError(t, err, "there is none")
}
