package backup_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/backup"
	"github.com/found-footy/found-footy/internal/footy"
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
	require.NoDirExists(t, filepath.Join(to, "2026-11-14T120000Z-2"))
}

func TestADiskIsNotFilledBeyondWhatIsKeptFree(t *testing.T) {
	t.Parallel()
	s, to := newState(t).fill(), t.TempDir()
	if err := syscall.Mount("tmpfs", to, "tmpfs", 0, "size=16m"); err != nil {
		t.Skip("mounting a small tmpfs needs root: ", err)
	}
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(to, syscall.MNT_DETACH)) })
	o, least := options(to), uint64(1<<62)
	o.Room = backup.Room{Keep: 4 << 20, Free: func(dir string) (uint64, bool) {
		var st syscall.Statfs_t
		require.NoError(t, syscall.Statfs(dir, &st))
		least = min(least, st.Bavail*uint64(st.Bsize)) //nolint:gosec // not negative
		return st.Bavail * uint64(st.Bsize), true      //nolint:gosec // idem
	}}
	s.backUp(o)
	s.put("clips/1/large.mp4", strings.Repeat("l", 13<<20))
	kept := files(t, to)
	_, err := backup.Make(t.Context(), s.docs, s.blob, o)
	require.ErrorContains(t, err, "MIN_FREE_MB keeps 4")
	require.Equal(t, kept, files(t, to))
	require.Greater(t, least, uint64(4<<20))
}
