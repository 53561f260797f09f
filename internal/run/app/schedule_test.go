package app_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/tools/devtest"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
)

// TestSchedulesComeBackWithAnEngineThatLostItsState: they were made when a worker started only, so that nothing was polled until a restart.
func TestSchedulesComeBackWithAnEngineThatLostItsState(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	var log lines
	a, err := app.New(t.Context(), parsed(t, map[string]string{"STATE_DIR": state, "FOOTY_DEVSTACK": devtest.Engine(t), "TEMPORAL_UI_PORT": "0", "SOURCES": "xweb,xapi"}),
		slog.New(slog.NewTextHandler(&log, nil)), "test")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	ended, up := make(chan error, 1), make(chan client.Client, 1)
	go func() {
		ended <- a.Run(ctx, app.Roles{Worker: true, Queues: []string{policy.QueueSearch}, Ready: func(r app.Ready) { up <- r.Client }})
	}()
	t.Cleanup(func() {
		stop()
		<-ended
		_ = a.Close()
	})
	c := <-up
	scheduled := func() bool {
		for _, id := range []string{policy.ScheduleMonitor, policy.ScheduleIngest, policy.ScheduleCanary} {
			if _, err := c.ScheduleClient().GetHandle(ctx, id).Describe(ctx); err != nil {
				return false
			}
		}
		return true
	}
	require.Eventually(t, scheduled, time.Minute, 100*time.Millisecond)

	dir := filepath.Join(state, "engine")
	var at struct {
		PID int `json:"pid"`
	}
	b, err := os.ReadFile(filepath.Join(dir, "engine.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &at))
	require.NoError(t, os.Rename(dir, dir+".away"))
	require.NoError(t, syscall.Kill(at.PID, syscall.SIGKILL))
	require.Eventually(t, func() bool { return len(ended) > 0 || scheduled() }, 2*time.Minute, 100*time.Millisecond, log.String())
	require.Empty(t, ended, log.String())
}
