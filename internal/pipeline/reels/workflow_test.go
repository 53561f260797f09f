package reels_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/enginetest"
	"github.com/found-footy/found-footy/internal/pipeline/fault"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/reels"
	"github.com/found-footy/found-footy/internal/rule/reel"
)

func engine(a *reels.Activities) *testsuite.TestWorkflowEnvironment {
	env := enginetest.New().NewTestWorkflowEnvironment()
	env.RegisterWorkflowWithOptions(reels.Workflow, workflow.RegisterOptions{Name: policy.ReelWorkflow})
	for name, f := range map[policy.Activity]any{policy.PlanReel: a.Plan, policy.MakePiece: a.Piece, policy.JoinReel: a.Join} {
		env.RegisterActivityWithOptions(f, activity.RegisterOptions{Name: string(name)})
	}
	env.OnUpsertMemo(mock.Anything).Return(nil).Maybe()
	return env
}

func planned(key string, pieces ...string) reels.Planned {
	p := reels.Planned{Plan: reel.Plan{Key: key}}
	for _, uid := range pieces {
		p.Plan.Pieces = append(p.Plan.Pieces, reel.Piece{EventUID: uid, Digest: uid})
	}
	return p
}

func TestAReelIsPlannedAnewUntilNothingChanged(t *testing.T) {
	t.Parallel()
	env := engine(&reels.Activities{})
	made := planned("second", "a", "b")
	made.Made = true
	env.OnActivity(string(policy.PlanReel), mock.Anything, mock.Anything).Return(planned("first", "a"), nil).Once()
	env.OnActivity(string(policy.PlanReel), mock.Anything, mock.Anything).Return(planned("second", "a", "b"), nil).Twice()
	env.OnActivity(string(policy.PlanReel), mock.Anything, mock.Anything).Return(made, nil).Once()
	env.OnActivity(string(policy.MakePiece), mock.Anything, mock.Anything).Return(nil).Times(5)
	env.OnActivity(string(policy.JoinReel), mock.Anything, mock.Anything).Return(nil).Once()
	gone := fault.Translate(footy.Errorf(footy.CodeNotFound, "gather pieces", "a piece was swept"))
	env.OnActivity(string(policy.JoinReel), mock.Anything, mock.Anything).Return(gone).Once()
	env.OnActivity(string(policy.JoinReel), mock.Anything, mock.Anything).Return(nil).Once()
	env.ExecuteWorkflow(policy.ReelWorkflow, reels.Input{})
	require.NoError(t, env.GetWorkflowError())
	var out reels.Output
	require.NoError(t, env.GetWorkflowResult(&out))
	require.Equal(t, reels.Output{Key: "second", Pieces: 2}, out)
	env.AssertExpectations(t)
}

func TestAReelOfNothingSaysSo(t *testing.T) {
	t.Parallel()
	env := engine(&reels.Activities{})
	none := fault.Translate(footy.Errorf(footy.CodeNotFound, "make reel", "no goal is known"))
	env.OnActivity(string(policy.PlanReel), mock.Anything, mock.Anything).Return(reels.Planned{}, none).Once()
	env.ExecuteWorkflow(policy.ReelWorkflow, reels.Input{})
	require.ErrorContains(t, env.GetWorkflowError(), "no goal is known")
}

// told counts what pages are told.
type told struct{ n int }

func (p *told) Publish(context.Context, string, ...string) { p.n++ }

func TestOnePieceAtATimeInAProcess(t *testing.T) {
	t.Parallel()
	b := setup(t)
	page := &told{}
	a := &reels.Activities{Maker: *b.Maker, Page: page}
	env := enginetest.New().NewTestActivityEnvironment()
	env.SetWorkerOptions(worker.Options{Interceptors: []interceptor.WorkerInterceptor{fault.Interceptor()}})
	env.RegisterActivity(a.Piece)
	in := reels.PieceInput{Piece: reel.Piece{Digest: "d", Source: "clips/u1/u1-0123456789abcdef.mp4", Frames: 30}}
	b.during = func() {
		other := enginetest.New().NewTestActivityEnvironment()
		other.SetWorkerOptions(worker.Options{Interceptors: []interceptor.WorkerInterceptor{fault.Interceptor()}})
		other.RegisterActivity(a.Piece)
		_, err := other.ExecuteActivity(a.Piece, in)
		var why *temporal.ApplicationError
		require.ErrorAs(t, err, &why)
		require.Equal(t, string(footy.CodeRateLimited), why.Type())
		require.Positive(t, why.NextRetryDelay())
		require.Contains(t, why.Message(), "another reel is being made")
	}
	_, err := env.ExecuteActivity(a.Piece, in)
	require.NoError(t, err)
	require.Equal(t, 2, page.n, "that it begins, that it is there")
	require.EqualValues(t, 1, b.pieces.Load())

	a.Room = func() error { return footy.Errorf(footy.CodeUnavailable, "look at the disk", "it is full") }
	in.Piece.Frames = 20
	_, err = env.ExecuteActivity(a.Piece, in)
	require.ErrorContains(t, err, "it is full")
}
