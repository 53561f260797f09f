package backup_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/backup"
	"github.com/found-footy/found-footy/internal/keep/store"
)

func TestADiskThatFillsUpLeavesNoHalfBackup(t *testing.T) {
	t.Parallel()
	s, to := newState(t).fill(), t.TempDir()
	if err := syscall.Mount("tmpfs", to, "tmpfs", 0, "size=4m"); err != nil {
		t.Skip("mounting a small tmpfs needs root: ", err)
	}
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(to, syscall.MNT_DETACH)) })
	first := s.backUp(options(to))
	kept := files(t, to)

	full := func() {
		t.Helper()
		_, err := backup.Make(t.Context(), s.docs, s.blob, options(to))
		require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, "full: free some space")
		require.NotContains(t, err.Error(), "\n")
		require.Equal(t, kept, files(t, to), "nothing of it is left, and the one before is whole")
		_, err = backup.Verify(t.Context(), first.Path)
		require.NoError(t, err)
	}
	s.put("clips/1/large.mp4", strings.Repeat("l", 8<<20)) // objects do not fit
	full()
	require.NoError(t, s.blob.Delete(t.Context(), "clips/1/large.mp4"))
	require.NoError(t, store.New(s.docs).PutState(t.Context(), "large", strings.Repeat("l", 8<<20))) // the database does not
	full()
	s.docs = other{s.docs} // nor its dump
	full()
	require.NoDirExists(t, filepath.Join(to, "2026-11-14T120000Z-2"))
}
