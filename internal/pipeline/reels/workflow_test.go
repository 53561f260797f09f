package reels_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"github.com/found-footy/found-footy/internal/decide/clip/reel"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/policy/enginetest"
	"github.com/found-footy/found-footy/internal/pipeline/policy/fault"
	"github.com/found-footy/found-footy/internal/pipeline/reels"
)

func engine() *testsuite.TestWorkflowEnvironment {
	env := enginetest.Workflow()
	reels.Workflow.Register(env)
	env.RegisterActivityWithOptions((&reels.Activities{}).Make, activity.RegisterOptions{Name: reels.MakeReel.Name()})
	return env
}

func TestStepsAreDoneUntilTheReelIsMade(t *testing.T) {
	t.Parallel()
	env := engine()
	for _, step := range []reels.Step{{Key: "first", Done: 1, Of: 2}, {Key: "second", Done: 2, Of: 3}} {
		env.OnActivity(reels.MakeReel.Name(), mock.Anything, mock.Anything).Return(step, nil).Once()
		env.OnUpsertMemo(map[string]any{"done": step.Done, "of": step.Of}).Return(nil).Once()
	}
	made := reels.Step{Key: "second", Done: 2, Of: 3, Made: true}
	env.OnActivity(reels.MakeReel.Name(), mock.Anything, mock.Anything).Return(made, nil).Once()
	env.ExecuteWorkflow(reels.Workflow.Name(), reels.Input{})
	require.NoError(t, env.GetWorkflowError())
	var out reels.Step
	require.NoError(t, env.GetWorkflowResult(&out))
	require.Equal(t, made, out)
	env.AssertExpectations(t)
}

// TestAReelThatIsAskedForWhileItIsMadeIsLookedAtOnceMore: a goal may have been taken back since its last step began.
func TestAReelThatIsAskedForWhileItIsMadeIsLookedAtOnceMore(t *testing.T) {
	t.Parallel()
	env := engine()
	for i, step := range []reels.Step{{Key: "before", Made: true}, {Key: "after", Done: 1, Of: 2}, {Key: "after", Made: true}} {
		env.OnActivity(reels.MakeReel.Name(), mock.Anything, mock.Anything).Return(func(context.Context, reels.Input) (reels.Step, error) {
			if i == 0 {
				env.SignalWorkflow(policy.SignalAsked, nil)
				env.SignalWorkflow(policy.SignalAsked, nil)
			}
			return step, nil
		}).Once()
	}
	env.OnUpsertMemo(mock.Anything).Return(nil).Once()
	env.ExecuteWorkflow(reels.Workflow.Name(), reels.Input{})
	require.NoError(t, env.GetWorkflowError())
	var out reels.Step
	require.NoError(t, env.GetWorkflowResult(&out))
	require.Equal(t, reels.Step{Key: "after", Made: true}, out)
	env.AssertExpectations(t)
}

func TestAReelOfNothingSaysSo(t *testing.T) {
	t.Parallel()
	env := engine()
	none := fault.Translate(footy.Errorf(footy.CodeNotFound, "make reel", "no goal is known"))
	env.OnActivity(reels.MakeReel.Name(), mock.Anything, mock.Anything).Return(reels.Step{}, none).Once()
	env.ExecuteWorkflow(reels.Workflow.Name(), reels.Input{})
	require.ErrorContains(t, env.GetWorkflowError(), "no goal is known")
}

// told counts what pages are told.
type told struct{ n int }

func (p *told) Publish(context.Context, string, ...string) { p.n++ }

func TestOneStepAtATimeInAProcess(t *testing.T) {
	t.Parallel()
	b := setup(t)
	page := &told{}
	a := &reels.Activities{Maker: *b.Maker, Page: page}
	env := enginetest.Activity(fault.Interceptor())
	env.RegisterActivity(a.Make)
	in := reels.Input{Scope: reel.Scope{Kind: reel.OfMatch, ID: 7}}
	b.during = func() {
		other := enginetest.Activity(fault.Interceptor())
		other.RegisterActivity(a.Make)
		_, err := other.ExecuteActivity(a.Make, in)
		var why *temporal.ApplicationError
		require.ErrorAs(t, err, &why)
		require.Equal(t, string(footy.CodeRateLimited), why.Type())
		require.Positive(t, why.NextRetryDelay())
		require.Contains(t, why.Message(), "another reel is being made")
	}
	_, err := env.ExecuteActivity(a.Make, in)
	require.NoError(t, err)
	require.Equal(t, 2, page.n, "that it begins, that it is there")
	require.EqualValues(t, 1, b.pieces.Load())

	a.Room = func() error { return footy.Errorf(footy.CodeUnavailable, "look at the disk", "it is full") }
	_, err = env.ExecuteActivity(a.Make, in)
	require.ErrorContains(t, err, "it is full")
}
