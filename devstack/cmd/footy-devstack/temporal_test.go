package main_test

import (
	"context"
	"net/http"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	taskqueuepb "go.temporal.io/api/taskqueue/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
	sdktemporal "go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

func dial(t *testing.T, address string) client.Client {
	t.Helper()
	c, err := client.Dial(client.Options{HostPort: address, Logger: silent{}})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

func work(t *testing.T, c client.Client, queue string, o worker.Options, register func(worker.Worker)) {
	t.Helper()
	w := worker.New(c, queue, o)
	register(w)
	require.NoError(t, w.Start())
	t.Cleanup(w.Stop)
}

func TestTemporalRunsWhatThePipelineRelatesTo(t *testing.T) {
	t.Parallel()
	p := start(t, "temporal", "--db", filepath.Join(t.TempDir(), "t.db"), "--ui-port", "0")
	c := dial(t, p.Address)

	t.Run("the namespace keeps closed workflows for a week", func(t *testing.T) {
		got, err := c.WorkflowService().DescribeNamespace(t.Context(), &workflowservice.DescribeNamespaceRequest{Namespace: "default"})
		require.NoError(t, err)
		require.Equal(t, 168*time.Hour, got.GetConfig().GetWorkflowExecutionRetentionTtl().AsDuration())
	})

	t.Run("the web interface answers and reaches the server", func(t *testing.T) {
		for _, path := range []string{"/", "/api/v1/namespaces/default"} {
			resp, err := http.Get(p.UI + path)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			require.Equal(t, http.StatusOK, resp.StatusCode, path)
		}
	})

	t.Run("a schedule fires every second", func(t *testing.T) {
		work(t, c, "schedule", worker.Options{}, func(w worker.Worker) {
			w.RegisterWorkflowWithOptions(func(workflow.Context) error { return nil }, workflow.RegisterOptions{Name: "tick"})
		})
		s, err := c.ScheduleClient().Create(t.Context(), client.ScheduleOptions{
			ID:            "every-second",
			Spec:          client.ScheduleSpec{Intervals: []client.ScheduleIntervalSpec{{Every: time.Second}}},
			Overlap:       enumspb.SCHEDULE_OVERLAP_POLICY_SKIP,
			CatchupWindow: time.Minute,
			Action:        &client.ScheduleWorkflowAction{ID: "tick", Workflow: "tick", TaskQueue: "schedule"},
		})
		require.NoError(t, err)
		require.Eventually(t, func() bool {
			d, err := s.Describe(t.Context())
			return err == nil && d.Info.NumActions >= 3
		}, soon, 100*time.Millisecond)
		require.NoError(t, s.Delete(t.Context()))
	})

	t.Run("signal-with-start starts once and delivers every signal", func(t *testing.T) {
		work(t, c, "signal", worker.Options{}, func(w worker.Worker) {
			w.RegisterWorkflowWithOptions(collectTwo, workflow.RegisterOptions{Name: "collect"})
		})
		var run client.WorkflowRun
		for _, batch := range []string{"a", "b"} {
			var err error
			run, err = c.SignalWithStartWorkflow(t.Context(), "upload-1", "batch", batch,
				client.StartWorkflowOptions{TaskQueue: "signal"}, "collect")
			require.NoError(t, err)
		}
		var got []string
		require.NoError(t, run.Get(t.Context(), &got))
		require.Equal(t, []string{"a", "b"}, got)
	})

	t.Run("an update is answered by the running workflow", func(t *testing.T) {
		work(t, c, "update", worker.Options{}, func(w worker.Worker) {
			w.RegisterWorkflowWithOptions(double, workflow.RegisterOptions{Name: "double"})
		})
		run, err := c.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: "double", TaskQueue: "update"}, "double")
		require.NoError(t, err)
		h, err := c.UpdateWorkflow(t.Context(), client.UpdateWorkflowOptions{
			WorkflowID: run.GetID(), UpdateName: "double", Args: []any{21}, WaitForStage: client.WorkflowUpdateStageCompleted,
		})
		require.NoError(t, err)
		var got int
		require.NoError(t, h.Get(t.Context(), &got))
		require.Equal(t, 42, got)
		require.NoError(t, run.Get(t.Context(), nil))
	})

	t.Run("an abandoned child outlives its parent", func(t *testing.T) {
		work(t, c, "abandon", worker.Options{}, func(w worker.Worker) {
			w.RegisterWorkflowWithOptions(parent, workflow.RegisterOptions{Name: "parent"})
			w.RegisterWorkflowWithOptions(child, workflow.RegisterOptions{Name: "child"})
		})
		run, err := c.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: "parent", TaskQueue: "abandon"}, "parent")
		require.NoError(t, err)
		require.NoError(t, run.Get(t.Context(), nil))
		require.NoError(t, c.SignalWorkflow(t.Context(), "child", "", "go", nil))
		var got string
		require.NoError(t, c.GetWorkflow(t.Context(), "child", "").Get(t.Context(), &got))
		require.Equal(t, "child done", got)
	})

	t.Run("a waiting task of higher priority is taken first", func(t *testing.T) { taskPriority(t, c) })
}

// taskPriority lets tasks queue up without a worker, least urgent first, and then looks at the order they are taken in.
func taskPriority(t *testing.T, c client.Client) {
	const workflows, tasks = "priority-workflows", "priority-tasks"
	work(t, c, workflows, worker.Options{}, func(w worker.Worker) {
		w.RegisterWorkflowWithOptions(func(ctx workflow.Context) error {
			var all []workflow.Future
			for _, key := range []int{5, 4, 3, 2, 1} {
				all = append(all, workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
					TaskQueue: tasks, StartToCloseTimeout: time.Minute, DisableEagerExecution: true,
					Priority: sdktemporal.Priority{PriorityKey: key},
				}), "search", key))
			}
			for _, f := range all {
				if err := f.Get(ctx, nil); err != nil {
					return err
				}
			}
			return nil
		}, workflow.RegisterOptions{Name: "search-all"})
	})
	run, err := c.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: "search-all", TaskQueue: workflows}, "search-all")
	require.NoError(t, err)
	require.Eventually(t, func() bool { return backlog(t.Context(), c, tasks) == 5 }, soon, tick, "five tasks wait")

	var mu sync.Mutex
	var order []int
	work(t, c, tasks, worker.Options{MaxConcurrentActivityExecutionSize: 1, MaxConcurrentActivityTaskPollers: 1}, func(w worker.Worker) {
		w.RegisterActivityWithOptions(func(_ context.Context, key int) error {
			mu.Lock()
			defer mu.Unlock()
			order = append(order, key)
			return nil
		}, activity.RegisterOptions{Name: "search"})
	})
	require.NoError(t, run.Get(t.Context(), nil))
	require.Equal(t, []int{1, 2, 3, 4, 5}, order)
}

func backlog(ctx context.Context, c client.Client, queue string) int64 {
	got, err := c.WorkflowService().DescribeTaskQueue(ctx, &workflowservice.DescribeTaskQueueRequest{
		Namespace: "default", TaskQueue: &taskqueuepb.TaskQueue{Name: queue},
		TaskQueueType: enumspb.TASK_QUEUE_TYPE_ACTIVITY, ReportStats: true,
	})
	if err != nil {
		return -1
	}
	return got.GetStats().GetApproximateBacklogCount()
}

func collectTwo(ctx workflow.Context) (got []string, err error) {
	for range 2 {
		var s string
		workflow.GetSignalChannel(ctx, "batch").Receive(ctx, &s)
		got = append(got, s)
	}
	return got, nil
}

func double(ctx workflow.Context) error {
	var answered bool
	err := workflow.SetUpdateHandler(ctx, "double", func(_ workflow.Context, n int) (int, error) {
		answered = true
		return 2 * n, nil
	})
	if err != nil {
		return err
	}
	return workflow.Await(ctx, func() bool { return answered })
}

func parent(ctx workflow.Context) error {
	ctx = workflow.WithChildOptions(ctx, workflow.ChildWorkflowOptions{
		WorkflowID: "child", ParentClosePolicy: enumspb.PARENT_CLOSE_POLICY_ABANDON,
	})
	return workflow.ExecuteChildWorkflow(ctx, "child").GetChildWorkflowExecution().Get(ctx, nil)
}

func child(ctx workflow.Context) (string, error) {
	workflow.GetSignalChannel(ctx, "go").Receive(ctx, nil)
	return "child done", nil
}

// silent drops what the SDK says while a server is down on purpose.
type silent struct{}

var _ log.Logger = silent{}

func (silent) Debug(string, ...any) {}
func (silent) Info(string, ...any)  {}
func (silent) Warn(string, ...any)  {}
func (silent) Error(string, ...any) {}
