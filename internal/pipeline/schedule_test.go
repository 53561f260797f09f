package pipeline_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
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
	next := func(id string) time.Duration {
		t.Helper()
		d, err := c.ScheduleClient().GetHandle(t.Context(), id).Describe(t.Context())
		require.NoError(t, err)
		require.NotEmpty(t, d.Info.NextActionTimes)
		return time.Until(d.Info.NextActionTimes[0])
	}

	require.Equal(t, []string{policy.ScheduleMonitor + " was missing", policy.ScheduleCanary + " was missing", policy.ScheduleIngest + " was missing"}, keep())
	require.Empty(t, keep(), "what is there stays as it is")

	monitor := c.ScheduleClient().GetHandle(t.Context(), policy.ScheduleMonitor)
	change := func(do func(*client.Schedule)) {
		t.Helper()
		require.NoError(t, monitor.Update(t.Context(), client.ScheduleUpdateOptions{DoUpdate: func(in client.ScheduleUpdateInput) (*client.ScheduleUpdate, error) {
			do(&in.Description.Schedule)
			return &client.ScheduleUpdate{Schedule: &in.Description.Schedule}, nil
		}}))
	}
	// What a clock that was ahead leaves behind: the next time lies in its future.
	change(func(s *client.Schedule) { s.Spec.StartAt = time.Now().Add(15 * 24 * time.Hour) })
	require.Eventually(t, func() bool { return next(policy.ScheduleMonitor) > 24*time.Hour }, time.Minute, 20*time.Millisecond)
	made := keep()
	require.Len(t, made, 1)
	require.Contains(t, made[0], policy.ScheduleMonitor+" waited until ")
	require.LessOrEqual(t, next(policy.ScheduleMonitor), 31*time.Second)
	require.Empty(t, keep())

	change(func(s *client.Schedule) { s.Spec.StartAt = time.Now().Add(5 * time.Minute) })
	require.Eventually(t, func() bool { return next(policy.ScheduleMonitor) > 4*time.Minute }, time.Minute, 20*time.Millisecond)
	require.Empty(t, keep(), "the clock of another machine")
	s.OwnClock = true
	require.Len(t, keep(), 1, "our own was ahead")

	change(func(s *client.Schedule) { s.Spec.StartAt, s.State.Paused = time.Now().Add(15*24*time.Hour), true })
	require.Eventually(t, func() bool {
		d, err := monitor.Describe(t.Context())
		return err == nil && d.Schedule.State.Paused
	}, time.Minute, 20*time.Millisecond)
	require.Empty(t, keep(), "an operator paused it")
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
