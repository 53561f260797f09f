package engine_test

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/run/engine"
	"github.com/found-footy/found-footy/tools/devtest"
	"github.com/stretchr/testify/require"
)

// TestTheLogOfTheEngineIsCut: it grew for as long as the program ran. The engine has it open meanwhile.
func TestTheLogOfTheEngineIsCut(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "engine.log")
	require.NoError(t, engine.CutLog(dir), "there is none yet")
	held, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, held.Close()) })
	write := func(line string, n int) {
		t.Helper()
		_, err := held.Write(bytes.Repeat([]byte(line), n))
		require.NoError(t, err)
	}
	write("short\n", 10)
	require.NoError(t, engine.CutLog(dir))
	require.NoFileExists(t, path+".1")

	for range 3 {
		write("older line\n", 3*engine.LogMost/11)
		write("last words\n", 1)
		require.NoError(t, engine.CutLog(dir))
		before, err := os.ReadFile(path + ".1")
		require.NoError(t, err)
		require.True(t, bytes.HasSuffix(before, []byte("older line\nlast words\n")))
		write("goes on\n", 1)
		now, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, "goes on\n", string(now), "where the engine goes on writing")
	}
	is, err := os.Stat(path + ".1")
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), is.Mode().Perm())
}

// TestAStartCutsALargeLog: so does the running program every minute.
func TestAStartCutsALargeLog(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "engine")
	require.NoError(t, os.Mkdir(dir, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "engine.log"), make([]byte, engine.LogMost+1), 0o600))
	e, err := engine.Start(t.Context(), engine.Options{Binary: devtest.Engine(t), StateDir: dir, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	t.Cleanup(e.Stop)
	require.Eventually(t, func() bool {
		is, err := os.Stat(filepath.Join(dir, "engine.log"))
		return err == nil && is.Size() <= engine.LogMost
	}, time.Minute, 50*time.Millisecond)
}
