package pipeline_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"

	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/tools/devtest"
)

// TestSchedulesAreKept asks a real engine.
func TestSchedulesAreKept(t *testing.T) {
	t.Parallel()
	at := devtest.Start(t, "temporal", "--db", filepath.Join(t.TempDir(), "engine.db"), "--ui-port", "-1")
	c, err := client.DialContext(t.Context(), client.Options{HostPort: at.Address, Logger: discard{}})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	s := pipeline.Schedules{Monitor: 30 * time.Second, Canary: 6 * time.Hour}
	keep := func() []string {
		t.Helper()
		made, err := s.Keep(t.Context(), c, time.Now())
		require.NoError(t, err)
		return made
	}
	require.Equal(t, []string{policy.ScheduleMonitor + " was missing", policy.ScheduleCanary + " was missing", policy.ScheduleIngest + " was missing"}, keep())
	require.Empty(t, keep(), "what is there stays as it is")
	for _, id := range []string{policy.ScheduleMonitor, policy.ScheduleCanary, policy.ScheduleIngest} {
		d, err := c.ScheduleClient().GetHandle(t.Context(), id).Describe(t.Context())
		require.NoError(t, err)
		require.Equal(t, enums.SCHEDULE_OVERLAP_POLICY_SKIP, d.Schedule.Policy.Overlap, "%s never runs twice at once", id)
		if id == policy.ScheduleIngest {
			require.NotEmpty(t, d.Info.NextActionTimes)
			for _, at := range d.Info.NextActionTimes {
				require.Equal(t, "00:05:00", at.UTC().Format(time.TimeOnly), "the day's list")
			}
		}
	}

	// The next time of an engine whose clock was ahead lies in our future.
	made, err := s.Keep(t.Context(), c, time.Now().Add(-15*24*time.Hour))
	require.NoError(t, err)
	require.Len(t, made, 3)
	require.Contains(t, made[0], policy.ScheduleMonitor+" waited until ")
	require.Empty(t, keep())
	made, err = s.Keep(t.Context(), c, time.Now().Add(-5*time.Minute))
	require.NoError(t, err)
	require.Empty(t, made, "the clock of another machine")
	s.OwnClock = true
	made, err = s.Keep(t.Context(), c, time.Now().Add(-5*time.Minute))
	require.NoError(t, err)
	require.NotEmpty(t, made, "our own was ahead")
	require.Contains(t, made[0], policy.ScheduleMonitor+" waited until ")

	monitor := c.ScheduleClient().GetHandle(t.Context(), policy.ScheduleMonitor)
	change := func(do func(*client.Schedule)) {
		t.Helper()
		require.NoError(t, monitor.Update(t.Context(), client.ScheduleUpdateOptions{DoUpdate: func(in client.ScheduleUpdateInput) (*client.ScheduleUpdate, error) {
			do(&in.Description.Schedule)
			return &client.ScheduleUpdate{Schedule: &in.Description.Schedule}, nil
		}}))
	}
	// The monitor's interval follows what is on; what else is there stays.
	s.OwnClock, s.Monitor = false, 5*time.Minute
	require.Empty(t, keep())
	d, err := monitor.Describe(t.Context())
	require.NoError(t, err)
	require.Equal(t, 5*time.Minute, d.Schedule.Spec.Intervals[0].Every)
	s.Monitor = 30 * time.Second
	require.Zero(t, pipeline.Ahead(d, s.Monitor, true, time.Now()), "that it acts rarely is no clock that was ahead")
	require.Empty(t, keep())
	d, err = monitor.Describe(t.Context())
	require.NoError(t, err)
	require.Equal(t, 30*time.Second, d.Schedule.Spec.Intervals[0].Every)
	require.WithinDuration(t, time.Now(), d.Info.NextActionTimes[0], 31*time.Second, "it acts at once at its new pace")
	// What others do to it in Temporal's UI or with its command line is undone at the next start.
	s.OwnClock = false
	began := func(s *client.Schedule) *client.ScheduleWorkflowAction {
		return s.Action.(*client.ScheduleWorkflowAction)
	}
	for what, do := range map[string]func(*client.Schedule){
		"another interval":  func(s *client.Schedule) { s.Spec.Intervals[0].Every = time.Hour },
		"a cron line":       func(s *client.Schedule) { s.Spec = &client.ScheduleSpec{CronExpressions: []string{"0 4 * * *"}} },
		"an end":            func(s *client.Schedule) { s.Spec.EndAt = time.Now() },
		"a jitter":          func(s *client.Schedule) { s.Spec.Jitter = time.Hour },
		"another workflow":  func(s *client.Schedule) { began(s).Workflow = "other" },
		"another queue":     func(s *client.Schedule) { began(s).TaskQueue = "other" },
		"another input":     func(s *client.Schedule) { began(s).Args = []any{"other"} },
		"another overlap":   func(s *client.Schedule) { s.Policy.Overlap = enums.SCHEDULE_OVERLAP_POLICY_BUFFER_ALL },
		"another catch-up":  func(s *client.Schedule) { s.Policy.CatchupWindow = 24 * time.Hour },
		"an end of actions": func(s *client.Schedule) { s.State.LimitedActions, s.State.RemainingActions = true, 1 },
	} {
		change(do)
		_, err = s.Ensure(t.Context(), c, time.Now())
		require.NoError(t, err)
		d, err := monitor.Describe(t.Context())
		require.NoError(t, err)
		require.Equal(t, 30*time.Second, d.Schedule.Spec.Intervals[0].Every, what)
		require.Equal(t, "MonitorWorkflow", began(&d.Schedule).Workflow, what)
		require.Equal(t, enums.SCHEDULE_OVERLAP_POLICY_SKIP, d.Schedule.Policy.Overlap, what)
		require.False(t, d.Schedule.State.LimitedActions, what)
		require.Zero(t, d.Schedule.Spec.Jitter, what)
		require.True(t, d.Schedule.Spec.EndAt.IsZero(), what)
		require.Empty(t, keep())
	}
	require.NoError(t, monitor.Pause(t.Context(), client.SchedulePauseOptions{Note: "while I look"}))
	require.Empty(t, keep(), "an operator paused it")
	before, err := monitor.Describe(t.Context())
	require.NoError(t, err)
	_, err = s.Ensure(t.Context(), c, time.Now())
	require.NoError(t, err)
	d, err = monitor.Describe(t.Context())
	require.NoError(t, err)
	require.Equal(t, before.Info.LastUpdateAt, d.Info.LastUpdateAt, "since when it is paused")
	require.True(t, d.Schedule.State.Paused)
	require.Equal(t, "while I look", d.Schedule.State.Note)
	s.OwnClock = true
	require.Equal(t, []string{policy.ScheduleMonitor + " was paused: while I look"}, keep(), "no operator pauses that of our own engine")
	d, err = monitor.Describe(t.Context())
	require.NoError(t, err)
	require.False(t, d.Schedule.State.Paused)
}

// TestAnEngineWhoseClockIsMinutesAheadIsNotWaitedFor: its schedules were made anew each minute, just after each of their actions.
func TestAnEngineWhoseClockIsMinutesAheadIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 7, 15, 0, 0, 0, time.UTC)
	acted := func(ahead time.Duration) *client.ScheduleDescription {
		at := now.Add(ahead)
		return &client.ScheduleDescription{Info: client.ScheduleInfo{
			RecentActions: []client.ScheduleActionResult{{ActualTime: at}}, NextActionTimes: []time.Time{at.Add(30 * time.Second)}}}
	}
	const its, ours = false, true
	require.Zero(t, pipeline.Ahead(acted(5*time.Minute), 30*time.Second, its, now))
	require.Equal(t, now.Add(time.Hour+30*time.Second), pipeline.Ahead(acted(time.Hour), 30*time.Second, its, now))
	require.Equal(t, now.Add(5*time.Minute+30*time.Second), pipeline.Ahead(acted(5*time.Minute), 30*time.Second, ours, now), "its clock is ours, which was ahead")
	require.Zero(t, pipeline.Ahead(acted(time.Minute), 30*time.Second, ours, now))
}

// discard drops what the client logs.
type discard struct{}

func (discard) Debug(string, ...any) {}
func (discard) Info(string, ...any)  {}
func (discard) Warn(string, ...any)  {}
func (discard) Error(string, ...any) {}
