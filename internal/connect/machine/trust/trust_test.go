package trust_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/machine/trust"
)

const stranger = 65534

func written(t *testing.T) (dir, file string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "own")
	require.NoError(t, os.Mkdir(dir, 0o700))
	file = filepath.Join(dir, "footy.env")
	require.NoError(t, os.WriteFile(file, []byte("LOG_LEVEL=info\n"), 0o600))
	return dir, file
}

// give gives a file to another user, which only root can.
func give(t *testing.T, path string, uid, gid int) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root gives files to another user")
	}
	require.NoError(t, os.Lchown(path, uid, gid))
}

func requireRefused(t *testing.T, file, names string) {
	t.Helper()
	_, err := trust.Read(file)
	var foreign *trust.Untrusted
	require.ErrorAs(t, err, &foreign)
	require.Equal(t, names, foreign.Path)
	require.NotContains(t, err.Error(), "\n")
	require.Regexp(t, `is a (file|directory) of \S+( \d+)? with mode 0\d+, .+: .*ch(mod|own) .+`, err.Error())
}

func TestAFileOfOnesOwnIsRead(t *testing.T) {
	t.Parallel()
	dir, file := written(t)
	for _, modes := range [][2]fs.FileMode{{0o700, 0o600}, {0o755, 0o644}, {0o500, 0o400}, {0o777 | fs.ModeSticky, 0o644}} {
		require.NoError(t, os.Chmod(dir, modes[0]))
		require.NoError(t, os.Chmod(file, modes[1]))
		text, err := trust.Read(file)
		require.NoError(t, err, modes)
		require.Equal(t, "LOG_LEVEL=info\n", string(text))
	}
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(file, link))
	_, err := trust.Read(link)
	require.NoError(t, err)
}

func TestWhatIsNoPlainFileIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	dir, _ := written(t)
	pipe := filepath.Join(dir, "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	for _, path := range []string{pipe, dir} {
		_, err := trust.Read(path)
		require.ErrorContains(t, err, path+" is no plain file")
	}
}

func TestAFileThatIsNotThereIsNoneOfAnybody(t *testing.T) {
	t.Parallel()
	dir, _ := written(t)
	require.NoError(t, os.Chmod(dir, 0o777))
	_, err := trust.Read(filepath.Join(dir, "none"))
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestWhatOthersMayWriteIsRefused(t *testing.T) {
	t.Parallel()
	dir, file := written(t)
	require.NoError(t, os.Chmod(file, 0o666))
	requireRefused(t, file, file)
	require.NoError(t, os.Chmod(file, 0o602))
	requireRefused(t, file, file)
	require.NoError(t, os.Chmod(file, 0o600))
	require.NoError(t, os.Chmod(dir, 0o777))
	requireRefused(t, file, dir)
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(file, link))
	requireRefused(t, link, dir)
}

func TestWhatBelongsToAnotherUserIsRefused(t *testing.T) {
	t.Parallel()
	dir, file := written(t)
	give(t, file, stranger, stranger)
	requireRefused(t, file, file)
	give(t, file, 0, 0)
	give(t, dir, stranger, stranger)
	requireRefused(t, file, dir)
	give(t, dir, 0, 0)
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink(file, link))
	give(t, link, stranger, stranger)
	requireRefused(t, link, link)
}

// TestAGroupMayWriteWhereItIsTheUsersOwn: many systems give each user a group of its name, and let it write.
func TestAGroupMayWriteWhereItIsTheUsersOwn(t *testing.T) {
	t.Parallel()
	dir, file := written(t)
	require.NoError(t, os.Chmod(file, 0o660))
	give(t, file, 0, 0)
	_, err := trust.Read(file)
	require.NoError(t, err)
	give(t, file, 0, 1) // daemon, or bin
	requireRefused(t, file, file)
	give(t, file, 0, 0)
	require.NoError(t, os.Chmod(dir, 0o770))
	give(t, dir, 0, 54321) // no group of this process
	requireRefused(t, file, dir)
}

func TestAnErrorNamesTheFile(t *testing.T) {
	t.Parallel()
	_, err := trust.Read(filepath.Join(t.TempDir(), "a", "b"))
	var at *fs.PathError
	require.ErrorAs(t, err, &at)
}
