package backup_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/backup"
	"github.com/found-footy/found-footy/internal/run/config"
	runstate "github.com/found-footy/found-footy/internal/run/state"
)

// TestNobodyElseReadsWhatHoldsKeys: the database has the private key of web push, and so have its copies.
func TestNobodyElseReadsWhatHoldsKeys(t *testing.T) {
	t.Parallel()
	c, err := config.Parse(map[string]string{"STATE_DIR": filepath.Join(t.TempDir(), "state"), "BACKUP_DIR": filepath.Join(t.TempDir(), "backups")}, *backup.Extra().Settings)
	require.NoError(t, err)
	both := []string{c.State.Dir, config.Own[backup.Settings](c).Dir}
	use := func() {
		s, err := runstate.Open(t.Context(), c)
		require.NoError(t, err)
		require.NoError(t, s.Store.PutState(t.Context(), "push/keys", "secret"))
		require.NoError(t, s.Close())
		_, err = backup.BackUp(t.Context(), process(c), "")
		require.NoError(t, err)
	}
	use()
	requirePrivate(t, both...)
	for _, dir := range both { // as an earlier version left it
		require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			require.NoError(t, err)
			if strings.HasSuffix(path, ".users") { // no earlier version made it
				return filepath.SkipDir
			}
			if d.IsDir() {
				return os.Chmod(path, 0o755)
			}
			if strings.HasSuffix(path, ".lock") { // which always were
				return nil
			}
			return os.Chmod(path, 0o644)
		}))
	}
	other := filepath.Join(config.Own[backup.Settings](c).Dir, "photos")
	require.NoError(t, os.Mkdir(other, 0o700))
	require.NoError(t, os.Chmod(other, 0o755))
	use()
	info, err := os.Stat(other)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o755), info.Mode().Perm(), "what is no backup is none of ours")
	require.NoError(t, os.Remove(other))
	requirePrivate(t, both...)
	_, err = backup.BringBack(t.Context(), c, backup.RestoreOptions{From: config.Own[backup.Settings](c).Dir, Into: filepath.Join(t.TempDir(), "new")})
	require.NoError(t, err)
}

// requirePrivate looks at everything that is no clip.
func requirePrivate(t *testing.T, dirs ...string) {
	t.Helper()
	for _, dir := range dirs {
		require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			require.NoError(t, err)
			if d.IsDir() && d.Name() == "clips" {
				return filepath.SkipDir
			}
			info, err := d.Info()
			require.NoError(t, err)
			require.Zero(t, info.Mode().Perm()&0o077, "%s is %s", path, info.Mode())
			return nil
		}))
	}
}
