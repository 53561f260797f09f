package setup_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/setup"
)

func TestSettingsAreWrittenForTheirOwnerAloneAndCanBeTakenOut(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "other.env")
	require.NoError(t, os.WriteFile(path, []byte("LOG_LEVEL=info\n"), 0o600))
	require.NoError(t, os.Chmod(path, 0o644))
	undo, err := setup.Write(path, map[string]string{"LOG_LEVEL": "debug"})
	require.NoError(t, err)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode().Perm())
	require.NoError(t, undo())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "LOG_LEVEL=info\n", string(text))
}

func TestWhatIsTakenBackLeavesLaterChangesOfAPerson(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "other.env")
	undo, err := setup.Write(path, map[string]string{"LOG_LEVEL": "debug"})
	require.NoError(t, err)
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = f.WriteString("POST_TEXT=mine\n")
	require.NoError(t, err)
	require.NoError(t, f.Close())
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	require.ErrorContains(t, undo(), "was changed meanwhile")
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(before), string(after))
}
