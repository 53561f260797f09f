// Package monitor is MonitorWorkflow: one cycle asks the feed about every open fixture, lets each answer vote on its
// goals, starts searches for goals that became certain, and puts right what earlier runs left behind.
package monitor

import (
	"errors"
	"fmt"

	"github.com/found-footy/found-footy/internal/pipeline/acquire"
	"github.com/found-footy/found-footy/internal/pipeline/discover"
	"github.com/found-footy/found-footy/internal/pipeline/fault"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/rule/debounce"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// Input travels in the schedule's arguments.
type Input struct {
	Timing policy.Timing `json:"timing"`
}

// Output tells operators what the cycle did.
type Output struct {
	Polled     int    `json:"fixtures_processed"`
	Failed     int    `json:"fixtures_failed,omitempty"`
	Changed    int    `json:"fixtures_changed"`
	Activated  int    `json:"activated,omitempty"`
	Completed  int    `json:"completed,omitempty"`
	Searches   int    `json:"searches_started,omitempty"`
	Distrusted string `json:"distrusted,omitempty"`
}

// cycle is the state of one MonitorWorkflow. Its poll id is the workflow's own id.
type cycle struct {
	in    Input
	poll  string
	plan  Plan
	polls []Polled
	todo  Todo
	out   Output
}

// Workflow is MonitorWorkflow.
func Workflow(ctx workflow.Context, in Input) (Output, error) {
	c := &cycle{in: in, poll: workflow.GetInfo(ctx).WorkflowExecution.ID}
	err := c.run(ctx)
	return c.out, err
}

func (c *cycle) run(ctx workflow.Context) error {
	if err := policy.Do(ctx, policy.PlanCycle, "who is due", c.poll, &c.plan); err != nil {
		return err
	}
	c.ask(ctx)
	if err := c.decide(ctx); err != nil {
		return err
	}
	if c.plan.Open {
		var more Todo
		if err := policy.Do(ctx, policy.Reconcile, "what earlier runs left", Reconcile{Poll: c.poll, Timing: c.in.Timing}, &more); err == nil {
			c.todo.Searches = append(c.todo.Searches, more.Searches...)
			c.todo.Downloads = append(c.todo.Downloads, more.Downloads...)
		}
	}
	for _, s := range c.todo.Searches {
		c.search(ctx, s)
	}
	for _, d := range c.todo.Downloads {
		c.download(ctx, d)
	}
	return nil
}

// ask polls chunk by chunk, side by side. A chunk that fails is a failed poll for its fixtures and for no others.
func (c *cycle) ask(ctx workflow.Context) {
	futures := make([]workflow.Future, len(c.plan.Chunks))
	for i, ids := range c.plan.Chunks {
		futures[i] = policy.Start(ctx, policy.PollChunk, fmt.Sprintf("%d fixtures", len(ids)), Chunk{Poll: c.poll, IDs: ids})
	}
	for i, f := range futures {
		var p Polled
		if err := f.Get(ctx, &p); err != nil {
			p = Polled{}
			for _, id := range c.plan.Chunks[i] {
				p.Failed = append(p.Failed, Failure{ID: id, Why: fault.Words(err)})
			}
		}
		c.polls = append(c.polls, p)
	}
}

// decide sees the whole poll's trust before it touches any fixture.
func (c *cycle) decide(ctx workflow.Context) error {
	in := Decide{Poll: c.poll}
	regressed, vanished := 0, 0
	for _, p := range c.polls {
		c.out.Polled += p.Answered
		in.Changed = append(in.Changed, p.Changed...)
		in.Failed = append(in.Failed, p.Failed...)
		in.Regressed = append(in.Regressed, p.Regressed...)
		regressed += len(p.Regressed)
		vanished += p.Vanished
	}
	in.Distrusted, in.Why = debounce.Distrust(regressed, vanished)
	c.out.Failed, c.out.Changed, c.out.Activated = len(in.Failed), len(in.Changed), c.plan.Activated
	if in.Distrusted {
		c.out.Distrusted = in.Why
	}
	if len(in.Changed)+len(in.Failed) == 0 {
		return nil
	}
	err := policy.Do(ctx, policy.Decide, fmt.Sprintf("%d changed", len(in.Changed)), in, &c.todo)
	c.out.Completed = c.todo.Completed
	return err
}

// search tells a running search about a correction, or starts one and lets it go once it has certainly started.
func (c *cycle) search(ctx workflow.Context, s Search) {
	log := workflow.GetLogger(ctx)
	if s.Running != "" && s.Running != s.WorkflowID {
		if workflow.SignalExternalWorkflow(ctx, s.Running, "", policy.SignalCorrected, s.EventUID).Get(ctx, nil) == nil {
			return
		}
	}
	in := discover.Input{FixtureID: s.FixtureID, EventUID: s.EventUID, Timing: c.in.Timing}
	err := c.start(ctx, policy.TwitterWorkflow, s.WorkflowID, s.Label, enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE_FAILED_ONLY, in)
	if err != nil {
		log.Error("search not started", "module", "monitor", "action", "start_search", "workflow", s.WorkflowID, "error", err)
		return
	}
	c.out.Searches++
}

func (c *cycle) download(ctx workflow.Context, d Owed) {
	in := acquire.Input{FixtureID: d.FixtureID, EventUID: d.EventUID, Download: d.Download, Timing: c.in.Timing}
	if err := c.start(ctx, policy.DownloadWorkflow, d.Download, d.Label, enums.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE, in); err != nil {
		workflow.GetLogger(ctx).Error("download not started", "module", "monitor", "action", "start_download", "workflow", d.Download, "error", err)
	}
}

// start starts a child that outlives us; one that runs already is fine.
func (c *cycle) start(ctx workflow.Context, kind, id, label string, reuse enums.WorkflowIdReusePolicy, in any) error {
	child := workflow.WithChildOptions(ctx, workflow.ChildWorkflowOptions{
		WorkflowID: id, TaskQueue: policy.QueueMain, StaticSummary: label,
		ParentClosePolicy: enums.PARENT_CLOSE_POLICY_ABANDON, WorkflowIDReusePolicy: reuse,
	})
	err := workflow.ExecuteChildWorkflow(child, kind, in).GetChildWorkflowExecution().Get(ctx, nil)
	var running *temporal.ChildWorkflowExecutionAlreadyStartedError
	if errors.As(err, &running) {
		return nil
	}
	return err
}
