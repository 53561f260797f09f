package dir_test

import (
	"bytes"
	"io"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/blob/dir"
)

func TestAFullDiskLosesNothing(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if err := syscall.Mount("tmpfs", root, "tmpfs", 0, "size=1m"); err != nil {
		t.Skip("mounting a small tmpfs needs root: ", err)
	}
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(root, syscall.MNT_DETACH)) })
	s, err := dir.Open(root)
	require.NoError(t, err)
	require.NoError(t, s.Put(t.Context(), "clips/a", strings.NewReader("before"), 6, blob.Info{}))

	err = s.Put(t.Context(), "clips/a", bytes.NewReader(make([]byte, 2<<20)), 2<<20, blob.Info{})
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, root)
	require.ErrorContains(t, err, "full: free some space")
	require.NotContains(t, err.Error(), "\n")

	o, err := s.Open(t.Context(), "clips/a")
	require.NoError(t, err)
	body, err := io.ReadAll(o)
	require.NoError(t, err)
	require.NoError(t, o.Close())
	require.Equal(t, "before", string(body))
	require.Len(t, files(t, root), 1, "no half file stays behind")
	require.NoError(t, s.Put(t.Context(), "clips/b", bytes.NewReader(make([]byte, 1<<19)), -1, blob.Info{}), "what fits still goes in")
}
