package check_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflow/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/engine"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/tools/devtest"
)

// scheduled is an engine whose schedule is as described.
type scheduled struct {
	client.Client
	schedules
}

func (s scheduled) ScheduleClient() client.ScheduleClient { return s.schedules }

type schedules struct {
	client.ScheduleClient
	described
}

func (s schedules) GetHandle(context.Context, string) client.ScheduleHandle { return s.described }

type described struct {
	client.ScheduleHandle
	info  client.ScheduleInfo
	state *client.ScheduleState
	err   error
}

func (d described) Describe(context.Context) (*client.ScheduleDescription, error) {
	return &client.ScheduleDescription{Info: d.info, Schedule: client.Schedule{State: d.state}}, d.err
}

// TestAScheduleThatWaitsForAClockThatWasAheadIsDown: the last cycle lay in the future, so its lag was negative and health green.
func TestAScheduleThatWaitsForAClockThatWasAheadIsDown(t *testing.T) {
	t.Parallel()
	c := parsed(t, nil)
	a := opened(t, c)
	ahead := time.Now().Add(15 * 24 * time.Hour)
	for name, info := range map[string]client.ScheduleInfo{
		"it ran in the future":  {RecentActions: []client.ScheduleActionResult{{ActualTime: ahead}}},
		"it waits for a future": {NextActionTimes: []time.Time{ahead}},
	} {
		look := check.New(check.Options{Config: c, Store: a.Store, Blob: a.Blob, Feed: a.Feed, Source: a.Source, Temporal: scheduled{schedules: schedules{described: described{info: info}}}})
		p := part(look.Look(t.Context()), health.Engine)
		require.Equal(t, health.StateDown, p.State, name)
		require.Contains(t, p.Reason, "the clock was ahead", name)
		require.Contains(t, p.Remedy, "If it stays so, stop footy, move "+engine.Dir(c)+" away and start footy again", name)

		own := c
		own.Engine.Address = "temporal.example:7233"
		look = check.New(check.Options{Config: own, Store: a.Store, Blob: a.Blob, Feed: a.Feed, Source: a.Source, Temporal: scheduled{schedules: schedules{described: described{info: info}}}})
		p = part(look.Look(t.Context()), health.Engine)
		require.Equal(t, health.StateDown, p.State, name)
		require.Contains(t, p.Remedy, "Restart a Temporal of your own with a new database", name)
	}
}

// TestAnEngineWhoseClockIsMinutesAheadIsToldOf: that is no stop, and was green or down by chance. With an engine of our own it is one.
func TestAnEngineWhoseClockIsMinutesAheadIsToldOf(t *testing.T) {
	t.Parallel()
	c := parsed(t, nil)
	a := opened(t, c)
	c.Engine.Address = "temporal.example:7233"
	ahead := time.Now().Add(5 * time.Minute)
	e := cycles{runs: map[string]*workflow.WorkflowExecutionInfo{
		"a": {Status: enums.WORKFLOW_EXECUTION_STATUS_COMPLETED, CloseTime: timestamppb.New(ahead)}}}
	e.info.RecentActions = []client.ScheduleActionResult{{ActualTime: ahead, StartWorkflowResult: &client.ScheduleWorkflowExecution{WorkflowID: "a"}}}
	look := check.New(check.Options{Config: c, Store: a.Store, Blob: a.Blob, Feed: a.Feed, Source: a.Source, Temporal: e})
	p := part(look.Look(t.Context()), health.Engine)
	require.Equal(t, health.StateDegraded, p.State, p.Reason)
	require.Contains(t, p.Reason, "ahead of this machine's clock")

	c.Engine.Address = ""
	look = check.New(check.Options{Config: c, Store: a.Store, Blob: a.Blob, Feed: a.Feed, Source: a.Source, Temporal: e})
	p = part(look.Look(t.Context()), health.Engine)
	require.Equal(t, health.StateDown, p.State, p.Reason)
	require.Contains(t, p.Reason, "no match is polled before")
}

// TestAnEngineThatStandsStillIsToBeRestarted: it runs, so "start it" helped nobody, and of ours nobody knew where its database is.
func TestAnEngineThatStandsStillIsToBeRestarted(t *testing.T) {
	t.Parallel()
	c := parsed(t, nil)
	a := opened(t, c)
	stands := scheduled{schedules: schedules{described: described{
		err: serviceerror.NewDeadlineExceeded("no poller seen for task queue recently, worker may be down")}}}
	look := check.New(check.Options{Config: c, Store: a.Store, Blob: a.Blob, Feed: a.Feed, Source: a.Source, Temporal: stands})
	p := part(look.Look(t.Context()), health.Engine)
	require.Equal(t, health.StateDown, p.State)
	require.Contains(t, p.Remedy, "starts it again by itself")
	require.NotContains(t, p.Remedy, " away", "it does not run: that helps nothing")

	run, err := engine.Start(t.Context(), engine.Options{Binary: devtest.Engine(t), StateDir: engine.Dir(c), Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	t.Cleanup(run.Stop)
	p = part(look.Look(t.Context()), health.Engine)
	require.Equal(t, health.StateDown, p.State)
	require.Contains(t, p.Remedy, "If it stays so, stop footy, move "+engine.Dir(c)+" away and start footy again")

	c.Engine.Address = "temporal.example:7233"
	look = check.New(check.Options{Config: c, Store: a.Store, Blob: a.Blob, Feed: a.Feed, Source: a.Source, Temporal: stands})
	require.Contains(t, part(look.Look(t.Context()), health.Engine).Remedy, "Restart it with a new database")
}

// TestRetentionThatDoesNotBelieveTheClockIsTold with what the operator can do.
func TestRetentionThatDoesNotBelieveTheClockIsTold(t *testing.T) {
	t.Parallel()
	c := parsed(t, nil)
	a := opened(t, c)
	look := check.New(check.Options{Config: c, Store: a.Store, Blob: a.Blob, Feed: a.Feed, Source: a.Source})
	require.Equal(t, health.StateOK, part(look.Look(t.Context()), health.Database).State)
	require.NoError(t, a.Store.PutState(t.Context(), cleanup.ClockKey, cleanup.Clock{At: time.Now().Add(-15 * 24 * time.Hour), Doubted: time.Now()}))
	p := part(look.Look(t.Context()), health.Database)
	require.Equal(t, health.StateDegraded, p.State)
	require.Contains(t, p.Reason, "nothing old is deleted")
	require.Contains(t, p.Remedy, "footy ingest ID")
}

func part(r health.Report, name string) health.Part {
	for _, p := range r.Parts {
		if p.Name == name {
			return p
		}
	}
	return health.Part{}
}
