package check_test

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"

	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/engine"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/tools/devtest"
)

// TestASchedulesPauseIsDownAtOnce: it was green for three minutes, and then a worker was asked for that was there.
func TestASchedulesPauseIsDownAtOnce(t *testing.T) {
	t.Parallel()
	since := time.Now().Add(-time.Minute)
	cycles := []client.ScheduleActionResult{{ActualTime: time.Now()}}
	for name, tc := range map[string]struct {
		engine described
		reason string
		remedy string
	}{
		"paused": {described{info: client.ScheduleInfo{LastUpdateAt: since, RecentActions: cycles}, state: &client.ScheduleState{Paused: true, Note: "Paused via UI"}},
			"no match is polled: the monitor's schedule is paused in Temporal since " + since.UTC().Format("2006-01-02 15:04 UTC") + " (Paused via UI)",
			"temporal schedule toggle --unpause --schedule-id " + policy.ScheduleMonitor},
		"limited": {described{info: client.ScheduleInfo{RecentActions: cycles}, state: &client.ScheduleState{LimitedActions: true}},
			"schedule may act no more", "Unpause the schedule " + policy.ScheduleMonitor},
		"its namespace is gone": {described{err: serviceerror.NewNamespaceNotFound("default")}, "Temporal has no namespace default", "retention of 168h"},
		"it refuses us":         {described{err: serviceerror.NewPermissionDenied("no", "")}, "Temporal refuses us", "TEMPORAL_TOKEN_FILE"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := parsed(t, map[string]string{"TEMPORAL_ADDRESS": "temporal.example:7233"})
			a := opened(t, c)
			look := check.New(check.Options{Config: c, Store: a.Store, Blob: a.Blob, Feed: a.Feed, Source: a.Source, Temporal: scheduled{schedules: schedules{described: tc.engine}}})
			p := part(look.Look(t.Context()), health.Engine)
			require.Equal(t, health.StateDown, p.State, p.Reason)
			require.Contains(t, p.Reason, tc.reason)
			require.Contains(t, p.Remedy, tc.remedy)
		})
	}
}

// TestAScheduleThatStaysAwayIsDown: a start takes a moment to make it.
func TestAScheduleThatStaysAwayIsDown(t *testing.T) {
	t.Parallel()
	c := parsed(t, nil)
	a := opened(t, c)
	look := check.New(check.Options{Config: c, Store: a.Store, Blob: a.Blob, Feed: a.Feed, Source: a.Source,
		Temporal: scheduled{schedules: schedules{described: described{err: serviceerror.NewNotFound("no schedule")}}}})
	require.Equal(t, health.StateDegraded, part(look.Look(t.Context()), health.Engine).State)
	require.Equal(t, health.StateDown, part(look.Look(t.Context()), health.Engine).State)
}

// TestDoctorAsksTheEngineThatRuns: it said "runs at" of one that polled nothing, and of one whose database had been damaged.
func TestDoctorAsksTheEngineThatRuns(t *testing.T) {
	t.Parallel()
	c := parsed(t, nil)
	c.Program.Devstack = devtest.Engine(t)
	dir := engine.Dir(c)
	doctor := func() health.Part {
		t.Helper()
		for _, f := range app.Doctor(t.Context(), c, "test") {
			if f.Name == health.Engine {
				return f
			}
		}
		require.Fail(t, "no line on the engine")
		return health.Part{}
	}
	require.NoError(t, os.MkdirAll(dir, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "temporal.db"), bytes.Repeat([]byte("noise"), 1000), 0o600))
	run, err := engine.Start(t.Context(), engine.Options{Binary: c.Program.Devstack, StateDir: dir, UIPort: engine.NoUI, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	t.Cleanup(run.Stop)
	cl, err := engine.Dial(t.Context(), run.Reached(c.Engine), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(cl.Close)
	s := pipeline.Schedules{Monitor: 30 * time.Second, Canary: 6 * time.Hour, OwnClock: true}
	_, err = s.Keep(t.Context(), cl, time.Now())
	require.NoError(t, err)
	f := doctor()
	require.Equal(t, health.StateDegraded, f.State, f.Reason)
	require.Contains(t, f.Reason, "was damaged and begun anew")
	require.Contains(t, f.Remedy, "temporal.db.damaged-")
	require.NoError(t, os.Remove(engine.Damaged(dir, time.Now()).File))
	require.Equal(t, health.StateOK, doctor().State)

	require.NoError(t, cl.ScheduleClient().GetHandle(t.Context(), policy.ScheduleIngest).Pause(t.Context(), client.SchedulePauseOptions{}))
	f = doctor()
	require.Equal(t, health.StateDegraded, f.State, f.Reason)
	require.Contains(t, f.Reason, "no coming match is listed")
	require.NoError(t, cl.ScheduleClient().GetHandle(t.Context(), policy.ScheduleMonitor).Pause(t.Context(), client.SchedulePauseOptions{}))
	for _, set := range []config.Engine{c.Engine, run.Reached(c.Engine)} {
		c.Engine = set
		f := doctor()
		require.Equal(t, health.StateDown, f.State, f.Reason)
		require.Contains(t, f.Reason, "no match is polled: the monitor's schedule is paused in Temporal since ")
	}
}
