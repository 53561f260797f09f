package engine_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/run/engine"
	"github.com/found-footy/found-footy/tools/devtest"
	"github.com/stretchr/testify/require"
)

// TestAnEngineWhoseDirectoryIsGoneComesBack: the directory was moved away under the running program and the engine killed, and each
// start failed because its log had no directory.
func TestAnEngineWhoseDirectoryIsGoneComesBack(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "engine")
	e, err := engine.Start(t.Context(), engine.Options{Binary: devtest.Engine(t), StateDir: dir, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	t.Cleanup(e.Stop)
	pid := runningIn(t, dir)
	require.NoError(t, os.Rename(dir, dir+".away"))
	require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))

	select {
	case <-e.Relaunched():
	case <-time.After(time.Minute):
		require.Fail(t, "it does not come back")
	}
	again := engine.Running(context.WithoutCancel(t.Context()), dir)
	require.NotNil(t, again)
	require.Equal(t, e.Address, again.Address, "where workers look for it")
	require.NotEqual(t, pid, runningIn(t, dir))
}

// TestAnEngineThatDiesSoonIsStartedEverMoreRarely: each start went well, and the next death was followed by the next start at once.
func TestAnEngineThatDiesSoonIsStartedEverMoreRarely(t *testing.T) {
	t.Parallel()
	dying := devtest.Script(t, "devstack", `echo '{"address":"127.0.0.1:1","pid":'$$'}'`)
	pauses := make(ended, 3)
	e, err := engine.Start(t.Context(), engine.Options{Binary: dying, StateDir: t.TempDir(), Log: slog.New(pauses)})
	require.NoError(t, err)
	t.Cleanup(e.Stop)
	for _, pause := range []time.Duration{0, time.Second, 3 * time.Second} {
		require.Equal(t, pause, <-pauses)
	}
}

// ended has the pause after each death of an engine, as the log tells it.
type ended chan time.Duration

func (ended) Enabled(context.Context, slog.Level) bool { return true }
func (e ended) WithAttrs([]slog.Attr) slog.Handler     { return e }
func (e ended) WithGroup(string) slog.Handler          { return e }

func (e ended) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "pause" {
			select {
			case e <- a.Value.Duration():
			default: // enough were seen
			}
		}
		return true
	})
	return nil
}

// runningIn is the process of the engine that keeps its state in dir.
func runningIn(t *testing.T, dir string) int {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "engine.json"))
	require.NoError(t, err)
	var at struct {
		PID int `json:"pid"`
	}
	require.NoError(t, json.Unmarshal(b, &at))
	require.NotZero(t, at.PID)
	return at.PID
}
