package private_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/keep/private"
)

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	return info.Mode()
}

func TestWhatIsMadeIsForItsOwnerAlone(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "b")
	require.NoError(t, private.Dir(dir))
	require.Equal(t, fs.FileMode(0o700), mode(t, dir).Perm())
	require.NoError(t, private.File(filepath.Join(dir, "f")))
	require.Equal(t, fs.FileMode(0o600), mode(t, filepath.Join(dir, "f")).Perm())
}

func TestWhatWasThereIsTakenFromOthers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, inner := filepath.Join(dir, "f"), filepath.Join(dir, "d", "f")
	require.NoError(t, os.Mkdir(filepath.Dir(inner), 0o700))
	for _, f := range []string{file, inner} {
		require.NoError(t, os.WriteFile(f, []byte("text"), 0o600))
		require.NoError(t, os.Chmod(f, 0o644))
	}
	require.NoError(t, os.Chmod(dir, 0o755))
	require.NoError(t, private.Dir(dir))
	require.NoError(t, private.File(file))
	require.NoError(t, private.Existing(file, filepath.Join(dir, "none")))
	require.Equal(t, fs.FileMode(0o700), mode(t, dir).Perm())
	require.Equal(t, fs.FileMode(0o600), mode(t, file).Perm())
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "text", string(text))
	require.NoError(t, private.Below(dir))
	require.Equal(t, fs.FileMode(0o600), mode(t, inner).Perm())
}

func TestASharedDirectoryStaysShared(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o777|fs.ModeSticky))
	require.NoError(t, private.Dir(dir))
	require.Equal(t, fs.FileMode(0o777), mode(t, dir).Perm())
}
