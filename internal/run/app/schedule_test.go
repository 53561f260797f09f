package app_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/tools/devtest"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
)

// working runs a worker of one queue with an engine of its own until the test ends.
func working(t *testing.T, queue string, log io.Writer, change func(*app.App)) (c client.Client, state string, ended chan error) {
	t.Helper()
	state = t.TempDir()
	a, err := app.New(t.Context(), parsed(t, map[string]string{"STATE_DIR": state, "FOOTY_DEVSTACK": devtest.Engine(t), "TEMPORAL_UI_PORT": "0", "SOURCES": "xweb,xapi"}),
		slog.New(slog.NewTextHandler(log, nil)), "test")
	require.NoError(t, err)
	change(a)
	ctx, stop := context.WithCancel(t.Context())
	up := make(chan client.Client, 1)
	ended = make(chan error, 1)
	go func() {
		ended <- a.Run(ctx, app.Roles{Worker: true, Queues: []string{queue}, Ready: func(r app.Ready) { up <- r.Client }})
	}()
	t.Cleanup(func() {
		stop()
		<-ended
		_ = a.Close()
	})
	select {
	case c = <-up:
	case err := <-ended:
		ended <- err
		require.FailNow(t, "it ended", "%v", err)
	}
	return c, state, ended
}

// live is a feed of one match that has begun.
type live struct{ feed.Feed }

func (live) Quota() feed.Quota { return feed.Quota{} }

func (live) ByIDs(_ context.Context, ids []int64) (a feed.Answer, err error) {
	for _, id := range ids {
		a.Snapshots = append(a.Snapshots, footy.Snapshot{Match: footy.Match{ID: id, Kickoff: time.Now().Add(-time.Hour), Status: footy.Status{Code: "2H"}}})
	}
	return a, nil
}

// TestAMatchThatIsNamedIsPolledSoon: where nothing else is on, the next look at how often to poll may be five minutes away.
func TestAMatchThatIsNamedIsPolledSoon(t *testing.T) {
	t.Parallel()
	c, _, _ := working(t, policy.QueueMain, io.Discard, func(a *app.App) {
		a.Feed = live{}
		require.NoError(t, a.Store.PutState(t.Context(), ingest.StateKey, ingest.LastIngest{Date: time.Now().UTC().Format(time.DateOnly)}))
	})
	every := func(want time.Duration) func() bool {
		return func() bool {
			d, err := c.ScheduleClient().GetHandle(t.Context(), policy.ScheduleMonitor).Describe(t.Context())
			return err == nil && d.Schedule.Spec.Intervals[0].Every == want
		}
	}
	require.Eventually(t, every(5*time.Minute), time.Minute, 100*time.Millisecond)
	out, err := ingest.Run(t.Context(), c, ingest.Input{FixtureIDs: []int64{5001}}, time.Minute)
	require.NoError(t, err)
	require.Equal(t, 1, out.Active)
	require.Eventually(t, every(30*time.Second), time.Minute, 100*time.Millisecond)
}

// TestSchedulesComeBackWithAnEngineThatLostItsState: they were made when a worker started only, so that nothing was polled until a restart.
func TestSchedulesComeBackWithAnEngineThatLostItsState(t *testing.T) {
	t.Parallel()
	var log lines
	c, state, ended := working(t, policy.QueueSearch, &log, func(*app.App) {})
	scheduled := func() bool {
		for _, id := range []string{policy.ScheduleMonitor, policy.ScheduleIngest, policy.ScheduleCanary} {
			if _, err := c.ScheduleClient().GetHandle(t.Context(), id).Describe(t.Context()); err != nil {
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
