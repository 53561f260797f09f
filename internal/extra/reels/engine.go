package reels

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/workflow"

	"github.com/found-footy/found-footy/internal/extra/reels/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/policy/fault"
	"github.com/found-footy/found-footy/internal/tell/web/stream"
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
	if _, none := errors.AsType[*serviceerror.NotFound](err); none {
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

// Activities of a reel.
type Activities struct {
	Maker
	Page footy.Publisher

	turn sync.Mutex // one reel at a time: goals are waiting for the other cores
}

// MakeReel is Make, as workflows call it. It goes behind what goals wait for.
var MakeReel = policy.Define[Input, policy.Nothing]("make_reel", policy.Row{Queue: policy.QueueMedia, Priority: 5, Timeout: 2 * time.Hour, Heartbeat: time.Minute, Pause: 2 * time.Second,
	Why: "the whole film: 20 s of it are 15 s of work for a core, on a busy machine minutes; a clip that cannot be shown is left out"})

// busyFor is how long to wait for another reel.
const busyFor = 5 * time.Second

// Progress is how far the making is, as its heartbeats report it.
type Progress struct {
	Done int `json:"done"` // pieces
	Of   int `json:"of"`
}

// Make makes a reel, if no other is being made here, and announces to pages how far it is. Waiting here for the other would take a slot from a
// goal's clip. Not found: there is nothing to show, or a clip was deleted just now.
func (a *Activities) Make(ctx context.Context, in Input) error {
	if !a.turn.TryLock() {
		return &footy.Error{Code: footy.CodeRateLimited, Op: "make reel", RetryAfter: busyFor, Err: footy.Errorf(footy.CodeRateLimited, "make reel", "another reel is being made; this one comes after it")}
	}
	defer a.turn.Unlock()
	defer a.Page.Publish(context.WithoutCancel(ctx), stream.EntityPage, in.Scope.Path())
	var far atomic.Pointer[Progress]
	far.Store(&Progress{})
	beat, stop := policy.HeartbeatsWith(ctx, func() any { return far.Load() })
	defer stop()
	_, err := a.Maker.Make(ctx, in.Scope, in.Asked, func(p Progress) {
		far.Store(&p)
		beat()
		a.Page.Publish(ctx, stream.EntityPage, in.Scope.Path())
	})
	return err
}

// Input is what is asked for.
type Input struct {
	Scope rule.Scope    `json:"scope"`
	Asked time.Duration `json:"asked,omitempty"` // its length; 0: as its clips are long
}

// Workflow is ReelWorkflow: the engine runs an activity only within one.
var Workflow = policy.DefineWorkflow("ReelWorkflow", 3*time.Hour, // it may wait for others, and for a disk or a clip store that is away
	func(ctx workflow.Context, in Input) (policy.Nothing, error) {
		return MakeReel.Do(ctx, in, "the reel of "+in.Scope.Name())
	})
