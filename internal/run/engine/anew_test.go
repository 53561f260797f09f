package engine_test

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/run/engine"
	"github.com/found-footy/found-footy/tools/devtest"
	"github.com/stretchr/testify/require"
)

// TestADamagedDatabaseIsSetAside: each start ended with an error, for ever, though nothing is lost with that database.
func TestADamagedDatabaseIsSetAside(t *testing.T) {
	t.Parallel()
	for name, content := range map[string][]byte{"noise": bytes.Repeat([]byte("noise "), 100_000), "nothing": {}, "the head of one": []byte("SQLite format 3\x00")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "engine")
			require.NoError(t, os.Mkdir(dir, 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "temporal.db"), content, 0o600))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "temporal.db-wal"), []byte("of another"), 0o600))
			require.Nil(t, engine.Damaged(dir, time.Now()))
			var log lines
			e, err := engine.Start(t.Context(), engine.Options{Binary: devtest.Engine(t), StateDir: dir, UIPort: engine.NoUI, Log: slog.New(slog.NewTextHandler(&log, nil))})
			require.NoError(t, err)
			t.Cleanup(e.Stop)
			require.Contains(t, log.String(), "workflow engine's database is damaged")
			require.Contains(t, log.String(), "begins a new database; nothing is lost")
			aside := engine.Damaged(dir, time.Now())
			require.NotNil(t, aside)
			require.WithinDuration(t, time.Now(), aside.At, time.Minute)
			was, err := os.ReadFile(aside.File)
			require.NoError(t, err)
			require.Equal(t, content, was)
			if name == "noise" { // of what looks like a database SQLite removes it
				require.FileExists(t, aside.File+"-wal")
			}
			require.Nil(t, engine.Damaged(dir, time.Now().Add(25*time.Hour)), "the reminder ends")
			require.NoError(t, os.Remove(aside.File))
			require.Nil(t, engine.Damaged(dir, time.Now()), "and ends with the file")
		})
	}
}

// TestAnEngineWhoseDatabaseIsDamagedWhileItRunsBeginsAnew: its calls failed until a person moved the file away.
func TestAnEngineWhoseDatabaseIsDamagedWhileItRunsBeginsAnew(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "engine")
	e, err := engine.Start(t.Context(), engine.Options{Binary: devtest.Engine(t), StateDir: dir, UIPort: engine.NoUI, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	t.Cleanup(e.Stop)
	pid := runningIn(t, dir)
	for _, end := range []string{"", "-wal"} { // the log has what was written last
		f, err := os.OpenFile(filepath.Join(dir, "temporal.db"+end), os.O_WRONLY, 0)
		require.NoError(t, err)
		info, err := f.Stat()
		require.NoError(t, err)
		_, err = f.WriteAt(bytes.Repeat([]byte{0xa5}, int(info.Size())), 0)
		require.NoError(t, err)
		require.NoError(t, f.Close())
	}
	require.NoError(t, syscall.Kill(pid, syscall.SIGKILL)) // it may find out itself before
	select {
	case <-e.Relaunched():
	case <-time.After(time.Minute):
		require.Fail(t, "it does not come back")
	}
	require.NotEqual(t, pid, runningIn(t, dir))
	require.NotNil(t, engine.Damaged(dir, time.Now()))
}

// TestOnlyTheNewestThatWasSetAsideIsKept: a disk that fails again and again would be filled.
func TestOnlyTheNewestThatWasSetAsideIsKept(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "engine")
	require.NoError(t, os.Mkdir(dir, 0o700))
	for _, name := range []string{"damaged-20260101T100000Z", "clock-20260102T100000Z", "damaged-20260103T100000Z", "damaged-20260103T100000Z-wal"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "temporal.db."+name), nil, 0o600))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "temporal.db"), []byte("noise"), 0o600))
	e, err := engine.Start(t.Context(), engine.Options{Binary: devtest.Engine(t), StateDir: dir, UIPort: engine.NoUI, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	t.Cleanup(e.Stop)
	left, err := filepath.Glob(filepath.Join(dir, "temporal.db.*Z"))
	require.NoError(t, err)
	require.Equal(t, []string{filepath.Join(dir, "temporal.db.clock-20260102T100000Z"), engine.Damaged(dir, time.Now()).File}, left)
}

// TestAClockThatWasAheadIsSeenAtTheNextStart: it was right again while nothing ran, and the engine stood still until the former time.
func TestAClockThatWasAheadIsSeenAtTheNextStart(t *testing.T) {
	t.Parallel()
	start := func(t *testing.T, dir string, ahead *atomic.Int64) *engine.Engine {
		t.Helper()
		e, err := engine.Start(t.Context(), engine.Options{Binary: devtest.Engine(t), StateDir: dir, UIPort: engine.NoUI, Log: slog.New(slog.DiscardHandler),
			Now: func() time.Time { return time.Now().Round(0).Add(time.Duration(ahead.Load())) }})
		require.NoError(t, err)
		return e
	}
	database := func(t *testing.T, dir string) os.FileInfo {
		t.Helper()
		info, err := os.Stat(filepath.Join(dir, "temporal.db"))
		require.NoError(t, err)
		return info
	}
	dir := filepath.Join(t.TempDir(), "engine")
	var ahead atomic.Int64
	leave(t, dir, "--token-file", writeToken(t, dir))
	was, pid := database(t, dir), runningIn(t, dir)
	future := time.Now().Add(48 * time.Hour)
	require.NoError(t, os.Chtimes(filepath.Join(dir, "temporal.db"), future, future))
	e := start(t, dir, &ahead)
	require.False(t, os.SameFile(was, database(t, dir)), "it begins a new database")
	require.NotEqual(t, pid, runningIn(t, dir))
	was = database(t, dir)
	e.Stop()
	e = start(t, dir, &ahead)
	t.Cleanup(e.Stop)
	require.True(t, os.SameFile(was, database(t, dir)), "once")
}

// lines collects a log.
type lines struct {
	mu  sync.Mutex
	all strings.Builder
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.Write(b)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.String()
}
