package check_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	workflowsdk "go.temporal.io/sdk/workflow"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/tell/health"
)

// cycles is an engine that began these cycles, the oldest first.
type cycles struct {
	scheduled
	runs map[string]*workflow.WorkflowExecutionInfo
}

func (c cycles) DescribeWorkflowExecution(_ context.Context, id, _ string) (*workflowservice.DescribeWorkflowExecutionResponse, error) {
	if c.runs[id] == nil {
		return nil, serviceerror.NewNotFound("forgotten")
	}
	return &workflowservice.DescribeWorkflowExecutionResponse{WorkflowExecutionInfo: c.runs[id]}, nil
}

func (c cycles) GetWorkflow(context.Context, string, string) client.WorkflowRun { return failedRun{} }

// failedRun is a cycle whose activity failed.
type failedRun struct{ client.WorkflowRun }

func (failedRun) Get(context.Context, any) error {
	var env testsuite.WorkflowTestSuite
	run := env.NewTestWorkflowEnvironment()
	run.ExecuteWorkflow(func(workflowsdk.Context) error {
		return temporal.NewNonRetryableApplicationError("read state feed_plan: the disk hums", "invalid", nil)
	})
	return run.GetWorkflowError()
}

func (c cycles) WorkflowService() workflowservice.WorkflowServiceClient { return noQueues{} }

type noQueues struct {
	workflowservice.WorkflowServiceClient
}

func (noQueues) DescribeTaskQueue(context.Context, *workflowservice.DescribeTaskQueueRequest, ...grpc.CallOption) (
	*workflowservice.DescribeTaskQueueResponse, error,
) {
	return nil, errors.New("not asked here")
}

// TestCyclesThatOnlyBeginAreNoCycles: without a worker the engine begins a cycle, ends it after three minutes and begins the next, so
// that the last one was never long ago and health was green again and again.
func TestCyclesThatOnlyBeginAreNoCycles(t *testing.T) {
	t.Parallel()
	const (
		done    = enums.WORKFLOW_EXECUTION_STATUS_COMPLETED
		late    = enums.WORKFLOW_EXECUTION_STATUS_TIMED_OUT
		failed  = enums.WORKFLOW_EXECUTION_STATUS_FAILED
		running = enums.WORKFLOW_EXECUTION_STATUS_RUNNING
	)
	type run struct {
		id    string
		began time.Duration // ago
		as    enums.WorkflowExecutionStatus
	}
	for name, tc := range map[string]struct {
		runs   []run
		state  health.State
		seen   time.Duration // ago; 0: no cycle that decided is known
		reason string
	}{
		"one runs, the one before decided": {[]run{{"a", 40 * time.Second, done}, {"b", 10 * time.Second, running}},
			health.StateOK, 35 * time.Second, ""},
		"none has ended since": {[]run{{"a", 10*time.Minute + 5*time.Second, done}, {"b", 7 * time.Minute, late}, {"c", 3 * time.Minute, late},
			{"d", 10 * time.Second, running}}, health.StateDown, 10 * time.Minute, "no monitor cycle has decided for 10m"},
		"none that is remembered has ended": {[]run{{"a", 7 * time.Minute, late}, {"b", 3 * time.Minute, late}, {"c", 10 * time.Second, running}},
			health.StateDown, 0, "no monitor cycle has decided for 7m"},
		"the last two failed": {[]run{{"a", 70 * time.Second, done}, {"b", 40 * time.Second, failed}, {"c", 25 * time.Second, failed}, {"d", 10 * time.Second, running}},
			health.StateDown, 65 * time.Second, "the last 2 monitor cycles failed: read state feed_plan: the disk hums"},
		"one failed, the next decided": {[]run{{"a", 70 * time.Second, failed}, {"b", 40 * time.Second, failed}, {"c", 25 * time.Second, done}},
			health.StateOK, 20 * time.Second, ""},
		"one failed":            {[]run{{"a", 70 * time.Second, done}, {"b", 40 * time.Second, failed}}, health.StateOK, 65 * time.Second, ""},
		"the first runs":        {[]run{{"a", 10 * time.Second, running}}, health.StateOK, 0, ""},
		"the engine forgot one": {[]run{{"a", 40 * time.Second, done}, {"", 10 * time.Second, running}}, health.StateOK, 35 * time.Second, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now := time.Now()
			info, e := client.ScheduleInfo{}, cycles{runs: map[string]*workflow.WorkflowExecutionInfo{}}
			for _, r := range tc.runs {
				info.RecentActions = append(info.RecentActions, client.ScheduleActionResult{ActualTime: now.Add(-r.began),
					StartWorkflowResult: &client.ScheduleWorkflowExecution{WorkflowID: r.id}})
				if r.id != "" {
					e.runs[r.id] = &workflow.WorkflowExecutionInfo{Status: r.as, CloseTime: timestamppb.New(now.Add(5*time.Second - r.began))}
				}
			}
			e.scheduled = scheduled{schedules: schedules{described: described{info: info}}}
			c := parsed(t, nil)
			a := opened(t, c)
			look := check.New(check.Options{Config: c, Store: a.Store, Blob: a.Blob, Feed: a.Feed, Source: a.Source, Temporal: e})
			p := part(look.Look(t.Context()), health.Engine)
			require.Equal(t, tc.state, p.State, p.Reason)
			require.Contains(t, p.Reason, tc.reason)
			if tc.seen == 0 {
				require.Empty(t, p.Figures)
				return
			}
			require.Equal(t, "last_cycle_timestamp_seconds", p.Figures[0].Metric)
			require.InDelta(t, now.Add(-tc.seen).Unix(), p.Figures[0].Value, 1)
		})
	}
}
