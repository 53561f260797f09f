package policy

import (
	"context"
	"errors"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// Workflow is a workflow type: its name in Temporal, the function that it runs, what that takes and gives, and how long one run may
// last. It is defined beside its function; parents, schedules and clients start it by this value, a worker registers it.
type Workflow[In, Out any] struct {
	name  string
	limit time.Duration
	run   func(workflow.Context, In) (Out, error)
}

// DefineWorkflow makes a workflow type. A run that lasts longer than limit hangs, and is begun again from the ledger; limit is never
// scaled.
func DefineWorkflow[In, Out any](name string, limit time.Duration, run func(workflow.Context, In) (Out, error)) Workflow[In, Out] {
	return Workflow[In, Out]{name, limit, run}
}

// Name is the workflow's type in Temporal.
func (w Workflow[In, Out]) Name() string { return w.name }

// Stuck is how long workflow code may run before it is taken for stuck, which ends its workflow. It waits for nothing, but a machine that
// is starved or slept gives it no time: the SDK's one second is too short there. The engine gives the task to another worker after ten.
const Stuck = 5 * time.Second

// Limit is how long one run may last.
func (w Workflow[In, Out]) Limit() time.Duration { return w.limit }

// Register puts it on a worker.
func (w Workflow[In, Out]) Register(on worker.WorkflowRegistry) {
	on.RegisterWorkflowWithOptions(w.run, workflow.RegisterOptions{Name: w.name})
}

// Child is a workflow's id and what the Temporal UI shows on its row.
type Child struct {
	ID, Summary string
	Reuse       enums.WorkflowIdReusePolicy
}

// Begin starts a child that outlives its parent.
func (w Workflow[In, Out]) Begin(ctx workflow.Context, c Child, in In) workflow.ChildWorkflowFuture {
	return workflow.ExecuteChildWorkflow(workflow.WithChildOptions(ctx, workflow.ChildWorkflowOptions{
		WorkflowID: c.ID, TaskQueue: QueueMain, StaticSummary: c.Summary, WorkflowRunTimeout: w.limit,
		ParentClosePolicy: enums.PARENT_CLOSE_POLICY_ABANDON, WorkflowIDReusePolicy: c.Reuse,
	}), w.name, in)
}

// Leave is Begin that waits until the child has certainly started.
func (w Workflow[In, Out]) Leave(ctx workflow.Context, c Child, in In) error {
	return Started(ctx, w.Begin(ctx, c, in))
}

// Started waits until a child has certainly started; one that runs already, or ran to its end, is fine.
func Started(ctx workflow.Context, child workflow.ChildWorkflowFuture) error {
	err := child.GetChildWorkflowExecution().Get(ctx, nil)
	if _, started := errors.AsType[*temporal.ChildWorkflowExecutionAlreadyStartedError](err); started {
		return nil
	}
	return err
}

// Start starts it from outside; one that runs already under that id is joined.
func (w Workflow[In, Out]) Start(ctx context.Context, c client.Client, o client.StartWorkflowOptions, in In) (client.WorkflowRun, error) {
	o.WorkflowIDConflictPolicy = enums.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING
	return c.ExecuteWorkflow(ctx, w.options(o), w.name, in)
}

// Signal sends a signal to the workflow of that id, which is started with in if none runs.
func (w Workflow[In, Out]) Signal(ctx context.Context, c client.Client, o client.StartWorkflowOptions, signal string, told any, in In) error {
	_, err := c.SignalWithStartWorkflow(ctx, o.ID, signal, told, w.options(o), w.name, in)
	return err
}

func (w Workflow[In, Out]) options(o client.StartWorkflowOptions) client.StartWorkflowOptions {
	o.TaskQueue, o.WorkflowRunTimeout = QueueMain, w.limit
	return o
}

// Scheduled is a schedule's action that starts it; Temporal appends the time to the id.
func (w Workflow[In, Out]) Scheduled(id, summary string, in In) *client.ScheduleWorkflowAction {
	return &client.ScheduleWorkflowAction{ID: id, Workflow: w.name, TaskQueue: QueueMain, WorkflowRunTimeout: w.limit, Args: []any{in}, StaticSummary: summary}
}
