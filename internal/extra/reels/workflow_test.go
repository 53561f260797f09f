package reels_test

import (
	"context"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"

	"github.com/found-footy/found-footy/internal/extra/reels"
	"github.com/found-footy/found-footy/internal/extra/reels/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/policy/enginetest"
	"github.com/found-footy/found-footy/internal/pipeline/policy/fault"
)

func TestAReelOfNothingSaysSo(t *testing.T) {
	t.Parallel()
	env := enginetest.Workflow()
	reels.Workflow.Register(env)
	env.RegisterActivityWithOptions((&reels.Activities{}).Make, activity.RegisterOptions{Name: reels.MakeReel.Name()})
	none := fault.Translate(footy.Errorf(footy.CodeNotFound, "make reel", "no goal is known"))
	env.OnActivity(reels.MakeReel.Name(), mock.Anything, mock.Anything).Return(none).Once()
	env.ExecuteWorkflow(reels.Workflow.Name(), reels.Input{})
	require.ErrorContains(t, env.GetWorkflowError(), "no goal is known")
}

// told counts what pages are told.
type told struct{ n int }

func (p *told) Publish(context.Context, string, ...string) { p.n++ }

func TestOneReelAtATimeInAProcess(t *testing.T) {
	t.Parallel()
	b := setup(t)
	page := &told{}
	a := &reels.Activities{Maker: *b.Maker, Page: page}
	env := enginetest.Activity(fault.Interceptor(slog.New(slog.DiscardHandler)))
	env.RegisterActivity(a.Make)
	in := reels.Input{Scope: rule.Scope{Kind: rule.OfMatch, ID: 7}}
	b.during = func() {
		other := enginetest.Activity(fault.Interceptor(slog.New(slog.DiscardHandler)))
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
	require.Equal(t, 4, page.n, "of each clip, that all are done, that it is there")
	require.EqualValues(t, 2, b.pieces.Load())

	b.change(t, func(f *footy.Fixture) { f.Events[0].Player.Name = "Another" })
	a.Room = func() error { return footy.Errorf(footy.CodeUnavailable, "look at the disk", "it is full") }
	_, err = env.ExecuteActivity(a.Make, in)
	require.ErrorContains(t, err, "it is full")
}
