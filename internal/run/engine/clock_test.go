package engine_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/run/engine"
	"github.com/found-footy/found-footy/tools/devtest"
	"github.com/stretchr/testify/require"
)

// TestAnEngineStartsAgainOnceAClockThatWasAheadIsRight: it stood still for as long as the clock had been ahead, and on the same database
// also after a restart.
func TestAnEngineStartsAgainOnceAClockThatWasAheadIsRight(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "engine")
	var ahead, looks atomic.Int64
	e, err := engine.Start(t.Context(), engine.Options{Binary: devtest.Engine(t), StateDir: dir, Log: slog.New(slog.DiscardHandler),
		Now: func() time.Time { looks.Add(1); return time.Now().Round(0).Add(time.Duration(ahead.Load())) }})
	require.NoError(t, err)
	t.Cleanup(e.Stop)
	pid := runningIn(t, dir)
	becomes := func(d time.Duration) {
		ahead.Store(int64(d))
		seen := looks.Load() + 2 // the look that runs may have read the former
		require.Eventually(t, func() bool { return looks.Load() >= seen }, time.Minute, 10*time.Millisecond)
	}
	was, err := os.Stat(filepath.Join(dir, "temporal.db"))
	require.NoError(t, err)
	becomes(2 * time.Hour)
	becomes(2*time.Hour - time.Minute) // as where it is set by a server of the net
	require.NoError(t, syscall.Kill(pid, 0))
	require.Equal(t, pid, runningIn(t, dir), "nothing it would stand still for")

	ahead.Store(0)
	select {
	case <-e.Relaunched():
	case <-time.After(time.Minute):
		require.Fail(t, "it is not started again")
	}
	require.NotEqual(t, pid, runningIn(t, dir))
	now, err := os.Stat(filepath.Join(dir, "temporal.db"))
	require.NoError(t, err)
	require.False(t, os.SameFile(was, now), "it begins a new database")
	becomes(0)
	require.Empty(t, e.Relaunched(), "once")
}

// TestAClockThatIsRightBeforeTheNextStartIsSeen: whether the next start begins a new database was decided at the engine's death, and what
// the clock did until it ran again was missed.
func TestAClockThatIsRightBeforeTheNextStartIsSeen(t *testing.T) {
	t.Parallel()
	for name, program := range map[string]string{
		"while starts fail":    "[ -e $0.go ] || { touch $0.came; exit 1; }\n",
		"while it is starting": "[ -e $0.go ] || touch $0.came\nwhile [ ! -e $0.go ]; do sleep 0.1; done\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, bin := filepath.Join(t.TempDir(), "engine"), devtest.Script(t, "devstack", program+"exec "+devtest.Engine(t)+" \"$@\"\n")
			require.NoError(t, os.WriteFile(bin+".go", nil, 0o600))
			var ahead, looks atomic.Int64
			ahead.Store(int64(2 * time.Hour))
			e, err := engine.Start(t.Context(), engine.Options{Binary: bin, StateDir: dir, Log: slog.New(slog.DiscardHandler),
				Now: func() time.Time { looks.Add(1); return time.Now().Round(0).Add(time.Duration(ahead.Load())) }})
			require.NoError(t, err)
			t.Cleanup(e.Stop)
			was, err := os.Stat(filepath.Join(dir, "temporal.db"))
			require.NoError(t, err)

			require.NoError(t, os.Remove(bin+".go"))
			require.NoError(t, syscall.Kill(runningIn(t, dir), syscall.SIGKILL))
			require.Eventually(t, func() bool { _, err := os.Stat(bin + ".came"); return err == nil }, time.Minute, 10*time.Millisecond)
			ahead.Store(0)
			seen := looks.Load() + 2 // the look that runs may have read the former
			require.Eventually(t, func() bool { return looks.Load() >= seen }, time.Minute, 10*time.Millisecond)
			require.NoError(t, os.WriteFile(bin+".go", nil, 0o600))
			require.Eventually(t, func() bool {
				now, err := os.Stat(filepath.Join(dir, "temporal.db"))
				return err == nil && !os.SameFile(was, now) && engine.Running(t.Context(), dir) != nil
			}, 5*time.Minute, 50*time.Millisecond, "it begins a new database") // two starts of up to 90 s and a pause of up to 30 s
		})
	}
}
