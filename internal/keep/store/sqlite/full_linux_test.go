package sqlite_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
)

// smallDisk mounts a tmpfs of the given size, where the test may.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skip("mounting a small tmpfs needs root: ", err)
	}
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(dir, syscall.MNT_DETACH)) })
	return dir
}

func requireFull(t *testing.T, err error, path string) {
	t.Helper()
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, path)
	require.ErrorContains(t, err, "full: free some space")
	require.NotContains(t, err.Error(), "\n")
}

func TestAFullDiskLosesNothing(t *testing.T) {
	t.Parallel()
	dir := smallDisk(t, "3m")
	path := filepath.Join(dir, "footy.db")
	b := open(t, path)
	s := store.New(b)
	ballast := filepath.Join(dir, "ballast")
	require.NoError(t, os.WriteFile(ballast, make([]byte, 1<<20), 0o600))
	var err error
	var id int64
	for id = 1; err == nil; id++ {
		err = s.Add(t.Context(), footy.Fixture{ID: id, Stage: footy.StageActive, Events: []footy.Event{{UID: "u", Comments: strings.Repeat("x", 50_000)}}})
	}
	requireFull(t, err, path)
	lost := id - 1
	list, err := s.List(t.Context(), store.FixtureQuery{})
	require.NoError(t, err, "reading goes on")
	require.Len(t, list, int(lost-1))

	require.NoError(t, os.Remove(ballast))
	require.NoError(t, s.Add(t.Context(), footy.Fixture{ID: lost, Stage: footy.StageActive}), "writing goes on once there is room")
	require.NoError(t, s.Close())
	list, err = store.New(open(t, path)).List(t.Context(), store.FixtureQuery{})
	require.NoError(t, err)
	require.Len(t, list, int(lost))
}

func TestAFullDiskAtTheStart(t *testing.T) {
	t.Parallel()
	for _, room := range []int{0, 4 << 10, 64 << 10, 200 << 10} {
		dir := smallDisk(t, "1m")
		path := filepath.Join(dir, "footy.db")
		require.NoError(t, os.WriteFile(filepath.Join(dir, "ballast"), make([]byte, 1<<20-room), 0o600))
		b, err := sqlite.Open(path)
		if err != nil {
			requireFull(t, err, path)
			continue
		}
		require.NoError(t, b.Close())
	}
}
