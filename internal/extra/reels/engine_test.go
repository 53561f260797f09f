package reels_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/common/v1"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/failure/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"

	"github.com/found-footy/found-footy/internal/extra/reels"
	"github.com/found-footy/found-footy/internal/extra/reels/rule"
	"github.com/found-footy/found-footy/internal/footy"
)

// asked is an engine that only notes what is started.
type asked struct {
	client.Client
	running bool
	under   int64
	beat    *common.Payloads
	started []string
}

func (a *asked) DescribeWorkflowExecution(context.Context, string, string) (*workflowservice.DescribeWorkflowExecutionResponse, error) {
	if !a.running {
		return nil, serviceerror.NewNotFound("no such workflow")
	}
	return &workflowservice.DescribeWorkflowExecutionResponse{
		WorkflowExecutionInfo: &workflow.WorkflowExecutionInfo{Status: enums.WORKFLOW_EXECUTION_STATUS_RUNNING},
		PendingActivities:     []*workflow.PendingActivityInfo{{HeartbeatDetails: a.beat, LastFailure: &failure.Failure{Message: "another reel is being made"}}},
	}, nil
}

func (a *asked) CountWorkflow(context.Context, *workflowservice.CountWorkflowExecutionsRequest) (*workflowservice.CountWorkflowExecutionsResponse, error) {
	return &workflowservice.CountWorkflowExecutionsResponse{Count: a.under}, nil
}

func (a *asked) ExecuteWorkflow(_ context.Context, o client.StartWorkflowOptions, _ any, _ ...any) (client.WorkflowRun, error) {
	a.started = append(a.started, o.ID)
	return nil, nil //nolint:nilnil // nobody looks at it
}

func TestAReelIsBegunOnceAndFewAtATime(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		engine  asked
		code    footy.Code
		started []string
	}{
		"none is made":      {asked{}, "", []string{"reel-match-7"}},
		"three others are":  {asked{under: 3}, "", []string{"reel-match-7"}},
		"four others are":   {asked{under: 4}, footy.CodeRateLimited, nil},
		"it is one of four": {asked{running: true, under: 4}, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := reels.Engine{Client: &c.engine}.Start(t.Context(), rule.Scope{Kind: rule.OfMatch, ID: 7}, 0)
			require.Equal(t, c.code, footy.CodeOf(err))
			require.Equal(t, c.started, c.engine.started)
		})
	}
}

func TestAReelThatIsBeingMadeSaysHowFarItIs(t *testing.T) {
	t.Parallel()
	beat, err := converter.GetDefaultDataConverter().ToPayloads(reels.Progress{Done: 2, Of: 5})
	require.NoError(t, err)
	for want, at := range map[rule.Making]*common.Payloads{
		{State: rule.StateMaking, Done: 2, Of: 5, Waits: "another reel is being made"}: beat,
		{State: rule.StateMaking, Waits: "another reel is being made"}:                 nil, // no try has begun
	} {
		m, err := reels.Engine{Client: &asked{running: true, beat: at}}.Making(t.Context(), rule.Scope{Kind: rule.OfMatch, ID: 7}, time.Minute)
		require.NoError(t, err)
		require.Equal(t, want, m)
	}
}
