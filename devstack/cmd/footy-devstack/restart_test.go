package main_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/found-footy/found-footy/devstack/ready"
)

func TestTimerSurvivesKillOfTheServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	state := filepath.Join(dir, "temporal.json")
	args := []string{"temporal", "--db", filepath.Join(dir, "t.db"), "--ui-port", "-1", "--state-file", state}
	first := start(t, args...)
	c := dial(t, first.Address)
	slept := func(ctx workflow.Context) (time.Duration, error) {
		began := workflow.Now(ctx)
		err := workflow.Sleep(ctx, 5*time.Second)
		return workflow.Now(ctx).Sub(began), err
	}
	work(t, c, "timer", worker.Options{}, func(w worker.Worker) {
		w.RegisterWorkflowWithOptions(slept, workflow.RegisterOptions{Name: "slept"})
	})
	run, err := c.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: "slept", TaskQueue: "timer"}, "slept")
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		d, err := c.DescribeWorkflowExecution(t.Context(), "slept", run.GetRunID())
		return err == nil && d.GetWorkflowExecutionInfo().GetHistoryLength() >= 5 // TimerStarted
	}, soon, tick)

	first.kill()
	left, err := ready.Read(state)
	require.NoError(t, err, "kill -9 leaves the announcement behind")
	require.Equal(t, first.PID, left.PID)

	second := start(t, args...)
	require.Equal(t, first.Address, second.Address, "workers find the server where it was")
	var took time.Duration
	require.Eventually(t, func() bool { return run.Get(t.Context(), &took) == nil }, soon, tick)
	require.GreaterOrEqual(t, took, 5*time.Second)

	require.Zero(t, second.stop(t))
	require.NoFileExists(t, state)
}

func TestCleanStopKeepsWorkflowsForTheNextStart(t *testing.T) {
	t.Parallel()
	args := []string{"temporal", "--db", filepath.Join(t.TempDir(), "has space #1?.db"), "--ui-port", "-1", "--exit-with-stdin"}
	first := start(t, args...)
	_, err := dial(t, first.Address).ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: "kept", TaskQueue: "nobody"}, "any")
	require.NoError(t, err)
	require.NoError(t, first.stdin.Close())
	require.Zero(t, first.wait(t), "the end of stdin is a clean stop")

	second := start(t, args...)
	require.NotEqual(t, first.PID, second.PID)
	d, err := dial(t, second.Address).DescribeWorkflowExecution(t.Context(), "kept", "")
	require.NoError(t, err)
	require.Equal(t, "any", d.GetWorkflowExecutionInfo().GetType().GetName())
}
