package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/upload"
)

func TestUpload(t *testing.T) {
	t.Parallel()
	in := upload.Input{FixtureID: 5000, EventUID: "5000-1", Timing: policy.Defaults()}
	send := func(env *testsuite.TestWorkflowEnvironment, n int) {
		env.SignalWorkflow(policy.SignalAddVideos, upload.Handover{Download: fmt.Sprintf("download%d", n)})
	}
	// run lets save answer for each batch, and returns the batches in the order in which they were saved.
	run := func(t *testing.T, save func(n int, batch string) (upload.Saved, error), also func(*testsuite.TestWorkflowEnvironment)) (saved []string, out upload.Output) {
		t.Helper()
		env := setup(t)
		on(env, upload.UploadVideos, anything).Return(func(_ context.Context, in upload.SaveInput) (upload.Saved, error) {
			saved = append(saved, in.Download)
			return save(len(saved), in.Download)
		})
		on(env, upload.MarkComplete, anything).Maybe().Return(false, nil)
		also(env)
		env.ExecuteWorkflow(upload.Workflow.Name(), in)
		require.NoError(t, env.GetWorkflowError())
		require.NoError(t, env.GetWorkflowResult(&out))
		return saved, out
	}
	fine := func(int, string) (upload.Saved, error) { return upload.Saved{}, nil }

	t.Run("batches are settled one after the other", func(t *testing.T) {
		t.Parallel()
		saved, out := run(t, fine, func(env *testsuite.TestWorkflowEnvironment) {
			env.RegisterDelayedCallback(func() { send(env, 1) }, 0)
			env.RegisterDelayedCallback(func() { send(env, 2) }, time.Minute)
		})
		require.Equal(t, []string{"download1", "download2"}, saved)
		require.Equal(t, upload.Output{Downloads: 2}, out)
	})

	t.Run("signals that wait while the event completes are drained before it returns", func(t *testing.T) {
		t.Parallel()
		saved, out := run(t, func(n int, _ string) (upload.Saved, error) { return upload.Saved{Complete: true, Copies: n == 3}, nil },
			func(env *testsuite.TestWorkflowEnvironment) {
				on(env, upload.CleanupCopies, anything).Return(nil).Once()
				env.RegisterDelayedCallback(func() { send(env, 1); send(env, 2); send(env, 3) }, 0)
			})
		require.Equal(t, []string{"download1", "download2", "download3"}, saved)
		require.True(t, out.Complete)
	})

	t.Run("a store that is away is tried for as long as it takes", func(t *testing.T) {
		t.Parallel()
		saved, _ := run(t, func(n int, _ string) (upload.Saved, error) {
			if n < 10 { // the test environment tries no more often
				return upload.Saved{}, errors.New("connection refused")
			}
			return upload.Saved{}, nil
		}, func(env *testsuite.TestWorkflowEnvironment) { env.RegisterDelayedCallback(func() { send(env, 1) }, 0) })
		require.Len(t, saved, 10)
	})
}

func TestABatchThatArrivesDuringUploadsLastLookIsTaken(t *testing.T) {
	t.Parallel()
	env := setup(t)
	var saved []string
	looks := 0
	on(env, upload.UploadVideos, anything).Return(func(_ context.Context, in upload.SaveInput) (upload.Saved, error) {
		saved = append(saved, in.Download)
		return upload.Saved{}, nil
	})
	on(env, upload.MarkComplete, anything).Return(func(context.Context, upload.Input) (bool, error) {
		if looks++; looks == 1 {
			env.SignalWorkflow(policy.SignalAddVideos, upload.Handover{Download: "late"})
		}
		return false, nil
	})
	env.RegisterDelayedCallback(func() { env.SignalWorkflow(policy.SignalAddVideos, upload.Handover{Download: "first"}) }, 0)
	env.ExecuteWorkflow(upload.Workflow.Name(), upload.Input{FixtureID: 5000, EventUID: "5000-1", Timing: policy.Defaults()})
	require.NoError(t, env.GetWorkflowError())
	require.Equal(t, []string{"first", "late"}, saved)
	require.Equal(t, 2, looks)
}

func TestAnErrorInOneBatchDoesNotDropThoseBehindIt(t *testing.T) {
	t.Parallel()
	env := setup(t)
	var saved []string
	on(env, upload.UploadVideos, anything).Return(func(_ context.Context, in upload.SaveInput) (upload.Saved, error) {
		if in.Download == "bad" {
			return upload.Saved{}, temporal.NewNonRetryableApplicationError("it cannot be read", "invalid", nil)
		}
		saved = append(saved, in.Download)
		return upload.Saved{}, nil
	})
	on(env, upload.MarkComplete, anything).Return(false, nil)
	env.RegisterDelayedCallback(func() {
		for _, b := range []string{"bad", "second", "third"} {
			env.SignalWorkflow(policy.SignalAddVideos, upload.Handover{Download: b})
		}
	}, 0)
	env.ExecuteWorkflow(upload.Workflow.Name(), upload.Input{FixtureID: 5000, EventUID: "5000-1", Timing: policy.Defaults()})
	require.NoError(t, env.GetWorkflowError())
	require.Equal(t, []string{"second", "third"}, saved)
}
