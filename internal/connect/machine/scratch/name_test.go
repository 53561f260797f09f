package scratch_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/machine/scratch"
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
