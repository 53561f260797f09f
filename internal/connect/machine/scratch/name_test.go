package scratch_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/found-footy/found-footy/internal/connect/machine/scratch"
	"github.com/stretchr/testify/require"
)

func TestAProcessThatComesBackHasItsName(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	take := func() *scratch.Name {
		t.Helper()
		n, err := scratch.TakeName(dir)
		require.NoError(t, err)
		return n
	}
	one, other := take(), take()
	defer other.Free()
	require.NotEqual(t, one.Text, other.Text, "both live")
	one.Free() // as the kernel does for a process that is killed
	again := take()
	defer again.Free()
	require.Equal(t, one.Text, again.Text)
}

// Two processes with one name would both hold what one of them holds.
func TestACopyOfADirectoryIsAnotherName(t *testing.T) {
	t.Parallel()
	dir, elsewhere := t.TempDir(), t.TempDir()
	n, err := scratch.TakeName(dir)
	require.NoError(t, err)
	defer n.Free()
	require.NoError(t, os.CopyFS(elsewhere, os.DirFS(dir)))
	other, err := scratch.TakeName(elsewhere)
	require.NoError(t, err)
	defer other.Free()
	require.NotEqual(t, n.Text, other.Text)
}

// On a file system without locks whoever took each failure for "another has it" would look for a free name for ever.
func TestAFileThatCannotBeLockedIsNobodys(t *testing.T) {
	t.Parallel()
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	require.NoError(t, err)
	locked, err := scratch.LockedNow(f)
	require.NoError(t, err)
	require.True(t, locked)
	again, err := os.Open(f.Name())
	require.NoError(t, err)
	locked, err = scratch.LockedNow(again)
	require.NoError(t, err, "another has it, which is no trouble")
	require.False(t, locked)
	require.NoError(t, f.Close())
	require.NoError(t, again.Close())
	_, err = scratch.LockedNow(f)
	require.ErrorContains(t, err, "lock "+f.Name())
}
