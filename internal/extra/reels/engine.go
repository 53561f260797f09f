package reels

import (
	"context"
	"errors"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"

	"github.com/found-footy/found-footy/internal/extra/reels/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/policy/fault"
)

// atOnce is how many reels may be under way: every reader may ask for one.
const atOnce = 4

// Engine has reels made.
type Engine struct {
	Client    client.Client
	Namespace string
}

// Start has a reel made, unless it is being made. Rate limited: enough others are.
func (e Engine) Start(ctx context.Context, s rule.Scope, asked time.Duration) error {
	const op = "start reel"
	now, err := e.Making(ctx, s, asked)
	if err != nil || now.State == rule.StateMaking {
		return err
	}
	under, err := e.Client.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{Namespace: e.Namespace,
		Query: "WorkflowType = '" + Workflow.Name() + "' AND ExecutionStatus = 'Running'"})
	if err != nil {
		return footy.Wrap(footy.CodeUnavailable, op, err)
	}
	if under.GetCount() >= atOnce {
		return &footy.Error{Code: footy.CodeRateLimited, Op: op, RetryAfter: time.Minute, Err: errors.New("enough reels are being made; ask again in a minute")}
	}
	_, err = Workflow.Start(ctx, e.Client, client.StartWorkflowOptions{ID: rule.Job(s, asked), StaticSummary: "reel of " + s.Name()}, Input{Scope: s, Asked: asked})
	return footy.Wrap(footy.CodeUnavailable, op, err)
}

// Making answers how far it is.
func (e Engine) Making(ctx context.Context, s rule.Scope, asked time.Duration) (rule.Making, error) {
	id := rule.Job(s, asked)
	d, err := e.Client.DescribeWorkflowExecution(ctx, id, "")
	var none *serviceerror.NotFound
	if errors.As(err, &none) {
		return rule.Making{}, nil
	}
	if err != nil {
		return rule.Making{}, footy.Wrap(footy.CodeUnavailable, "ask how far "+id+" is", err)
	}
	info := d.GetWorkflowExecutionInfo()
	var m rule.Making
	switch info.GetStatus() {
	case enums.WORKFLOW_EXECUTION_STATUS_RUNNING, enums.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW:
		m.State = rule.StateMaking
		for _, a := range d.GetPendingActivities() {
			var far Progress
			_ = converter.GetDefaultDataConverter().FromPayloads(a.GetHeartbeatDetails(), &far) // another release's; it is only shown
			m.Done, m.Of, m.Waits = far.Done, far.Of, a.GetLastFailure().GetMessage()
		}
	case enums.WORKFLOW_EXECUTION_STATUS_COMPLETED:
		m.State = rule.StateDone
	default:
		m.State, m.Why = rule.StateFailed, "it took too long, or was ended"
		if info.GetStatus() == enums.WORKFLOW_EXECUTION_STATUS_FAILED {
			if err := e.Client.GetWorkflow(ctx, id, info.GetExecution().GetRunId()).Get(ctx, nil); err != nil {
				m.Why = fault.Words(err)
			}
		}
	}
	return m, nil
}
