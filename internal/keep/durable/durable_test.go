package durable_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/keep/durable"
)

func TestWhatIsSetAsideOverwritesNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "footy.db")
	now := time.Date(2026, 11, 14, 12, 0, 0, 0, time.UTC)
	to, err := durable.SetAside(path, "before-restore", now, "-wal", "-shm")
	require.NoError(t, err)
	require.Empty(t, to, "there is nothing")

	write := func(end, text string) {
		t.Helper()
		require.NoError(t, os.WriteFile(path+end, []byte(text), 0o600))
	}
	want := map[string]string{}
	for _, text := range []string{"first", "second", "third"} {
		write("", text)
		write("-wal", text+" journal")
		to, err = durable.SetAside(path, "before-restore", now, "-wal", "-shm")
		require.NoError(t, err)
		want[to], want[to+"-wal"] = text, text+" journal"
	}
	write("-wal", "of a database that is gone")
	to, err = durable.SetAside(path, "before-restore", now, "-wal", "-shm")
	require.NoError(t, err)
	want[to+"-wal"] = "of a database that is gone"

	require.Equal(t, path+".before-restore-2026-11-14T120000Z-4", to)
	got := map[string]string{}
	all, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	for _, e := range all {
		b, err := os.ReadFile(filepath.Join(filepath.Dir(path), e.Name()))
		require.NoError(t, err)
		got[filepath.Join(filepath.Dir(path), e.Name())] = string(b)
	}
	require.Equal(t, want, got)
}
