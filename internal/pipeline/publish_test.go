package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/pipeline/acquire"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/publish"
	"github.com/stretchr/testify/require"
)

func TestUpload(t *testing.T) {
	t.Parallel()
	in := acquire.UploadInput{FixtureID: 5000, EventUID: "5000-1", Timing: policy.Defaults()}
	batch := func(n int, items int) acquire.Handover {
		return acquire.Handover{FixtureID: 5000, EventUID: "5000-1", Download: fmt.Sprintf("download%d", n), Items: make([]acquire.Item, items), Timing: policy.Defaults()}
	}

	t.Run("batches are settled one after the other, empty ones without moving bytes", func(t *testing.T) {
		t.Parallel()
		env := setup(t)
		var saved []string
		uploads := 0
		save := func(_ context.Context, h acquire.Handover) (publish.Saved, error) {
			saved = append(saved, h.Download)
			return publish.Saved{}, nil
		}
		on(env, policy.UploadVideos, anything).Return(func(ctx context.Context, h acquire.Handover) (publish.Saved, error) { uploads++; return save(ctx, h) })
		on(env, policy.SaveVideos, anything).Return(save)
		on(env, policy.MarkComplete, anything).Return(false, nil).Once()
		env.RegisterDelayedCallback(func() { env.SignalWorkflow(policy.SignalAddVideos, batch(1, 2)) }, 0)
		env.RegisterDelayedCallback(func() { env.SignalWorkflow(policy.SignalAddVideos, batch(2, 0)) }, time.Minute)
		env.ExecuteWorkflow(policy.UploadWorkflow, in)
		require.NoError(t, env.GetWorkflowError())
		require.Equal(t, []string{"download1", "download2"}, saved)
		require.Equal(t, 1, uploads)
	})

	t.Run("signals that wait while the event completes are drained before it returns", func(t *testing.T) {
		t.Parallel()
		env := setup(t)
		var saved []string
		on(env, policy.SaveVideos, anything).Return(func(_ context.Context, h acquire.Handover) (publish.Saved, error) {
			saved = append(saved, h.Download)
			return publish.Saved{Complete: true, Losers: len(saved) == 3}, nil
		})
		on(env, policy.CleanupLosers, anything).Return(nil).Once()
		env.RegisterDelayedCallback(func() {
			for n := 1; n <= 3; n++ {
				env.SignalWorkflow(policy.SignalAddVideos, batch(n, 0))
			}
		}, 0)
		env.ExecuteWorkflow(policy.UploadWorkflow, in)
		require.NoError(t, env.GetWorkflowError())
		require.Equal(t, []string{"download1", "download2", "download3"}, saved)
	})

	t.Run("a batch whose bytes must be moved is saved by the same activity, and retired copies go once the event is complete", func(t *testing.T) {
		t.Parallel()
		env := setup(t)
		on(env, policy.UploadVideos, anything).Return(publish.Saved{Complete: true, Losers: true}, nil).Once()
		on(env, policy.CleanupLosers, anything).Return(nil).Once()
		env.RegisterDelayedCallback(func() { env.SignalWorkflow(policy.SignalAddVideos, batch(1, 2)) }, 0)
		env.ExecuteWorkflow(policy.UploadWorkflow, in)
		require.NoError(t, env.GetWorkflowError())
		env.AssertNotCalled(t, string(policy.SaveVideos), anything, anything)
	})

	t.Run("bytes that cannot be moved publish nothing", func(t *testing.T) {
		t.Parallel()
		env := setup(t)
		on(env, policy.UploadVideos, anything).Return(errors.New("disk full"))
		env.RegisterDelayedCallback(func() { env.SignalWorkflow(policy.SignalAddVideos, batch(1, 1)) }, 0)
		env.ExecuteWorkflow(policy.UploadWorkflow, in)
		require.Error(t, env.GetWorkflowError())
	})
}
