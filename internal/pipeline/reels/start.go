package reels

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/decide/clip/reel"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/policy/fault"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
)

// By these names a workflow says how far it is.
const (
	memoDone = "done"
	memoOf   = "of"
)

// atOnce is how many reels may be under way: whoever looks at the page may ask for one.
const atOnce = 4

// Engine has reels made.
type Engine struct {
	Client    client.Client
	Namespace string
	Blob      blob.Store
	Disk      func() error // why nothing may be written for now, by what is left of it
}

// Start has a reel made; one that is being made is looked at once more when it is. Rate limited: enough others are being made.
func (e Engine) Start(ctx context.Context, s reel.Scope, asked time.Duration) error {
	return e.start(ctx, s, asked, atOnce)
}

// Anew is Start for a reel that nobody waits for: it leaves room for those that people ask for.
func (e Engine) Anew(ctx context.Context, s reel.Scope, asked time.Duration) error {
	return e.start(ctx, s, asked, atOnce/2)
}

const op = "start reel"

// Room says why no reel is begun for now. Rate limited: there is no room; otherwise nobody could look.
func (e Engine) Room(ctx context.Context) error {
	if err := e.Disk(); err != nil {
		return &footy.Error{Code: footy.CodeRateLimited, Op: op, RetryAfter: time.Minute, Err: errors.New(footy.RootCause(err))}
	}
	return room(ctx, e.Blob)
}

// room says why no step is done for now: rate limited if reels take all that they may.
func room(ctx context.Context, b blob.Store) error {
	var taken int64
	err := b.List(ctx, blob.ReelPrefix, func(at blob.Attributes) error { taken += at.Size; return nil })
	if err == nil && taken >= reel.Budget {
		err = &footy.Error{Code: footy.CodeRateLimited, Op: "find room for a reel", RetryAfter: time.Minute,
			Err: fmt.Errorf("reels and their pieces take %d MB of the %d that they may; every 15 minutes a running worker deletes reels that nobody watched for ten minutes, and pieces after three hours",
				taken>>20, reel.Budget>>20)}
	}
	return err
}

func (e Engine) start(ctx context.Context, s reel.Scope, asked time.Duration, most int64) error {
	now, err := e.Making(ctx, s, asked)
	if err != nil {
		return err
	}
	if now.State == reel.StateMaking {
		err := e.Client.SignalWorkflow(ctx, reel.Job(s, asked), "", policy.SignalAsked, nil)
		var ended *serviceerror.NotFound
		if !errors.As(err, &ended) {
			return footy.Wrap(footy.CodeUnavailable, op, err)
		}
	}
	if err := e.Room(ctx); err != nil {
		return err
	}
	under, err := e.Client.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{Namespace: e.Namespace,
		Query: "WorkflowType = '" + Workflow.Name() + "' AND ExecutionStatus = 'Running'"})
	if err != nil {
		return footy.Wrap(footy.CodeUnavailable, op, err)
	}
	if under.GetCount() >= most {
		return &footy.Error{Code: footy.CodeRateLimited, Op: op, RetryAfter: time.Minute, Err: errors.New("enough reels are being made; ask again in a minute")}
	}
	_, err = Workflow.Start(ctx, e.Client, client.StartWorkflowOptions{ID: reel.Job(s, asked), StaticSummary: "reel of " + s.Name()}, Input{Scope: s, Asked: asked})
	return footy.Wrap(footy.CodeUnavailable, op, err)
}

// Making answers how far it is.
func (e Engine) Making(ctx context.Context, s reel.Scope, asked time.Duration) (reel.Making, error) {
	id := reel.Job(s, asked)
	d, err := e.Client.DescribeWorkflowExecution(ctx, id, "")
	var none *serviceerror.NotFound
	if errors.As(err, &none) {
		return reel.Making{}, nil
	}
	if err != nil {
		return reel.Making{}, footy.Wrap(footy.CodeUnavailable, "ask how far "+id+" is", err)
	}
	info := d.GetWorkflowExecutionInfo()
	m := reel.Making{Done: memo(info, memoDone), Of: memo(info, memoOf)}
	switch info.GetStatus() {
	case enums.WORKFLOW_EXECUTION_STATUS_RUNNING, enums.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW:
		m.State = reel.StateMaking
		for _, a := range d.GetPendingActivities() {
			m.Waits = a.GetLastFailure().GetMessage()
		}
	case enums.WORKFLOW_EXECUTION_STATUS_COMPLETED:
		m.State = reel.StateDone
	default:
		m.State, m.Why = reel.StateFailed, "it took too long, or was ended"
		if info.GetStatus() == enums.WORKFLOW_EXECUTION_STATUS_FAILED {
			if err := e.Client.GetWorkflow(ctx, id, info.GetExecution().GetRunId()).Get(ctx, nil); err != nil {
				m.Why = fault.Words(err)
			}
		}
	}
	return m, nil
}

func memo(info *workflow.WorkflowExecutionInfo, name string) (n int) {
	if p := info.GetMemo().GetFields()[name]; p != nil {
		_ = converter.GetDefaultDataConverter().FromPayload(p, &n) // another release's; it is only shown
	}
	return n
}
