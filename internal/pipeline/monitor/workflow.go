// Package monitor is MonitorWorkflow: one cycle asks the feed about every open fixture, lets each answer vote on its
// goals, starts searches for goals that became certain, and puts right what earlier runs left behind.
package monitor

import (
	"slices"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/workflow"

	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/policy/fault"
	"github.com/found-footy/found-footy/internal/pipeline/search"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
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
	Again      int    `json:"fixtures_looked_at_again,omitempty"`
}

// monitorRun is the state of one MonitorWorkflow. Its poll id is the workflow's own id.
type monitorRun struct {
	in     Input
	poll   string
	plan   Plan
	polls  []PollResult
	voting []int64 // matches with an open vote
	out    Output
}

// Workflow is MonitorWorkflow.
var Workflow = policy.DefineWorkflow("MonitorWorkflow", 3*time.Minute, start) // the next cycle waits for it

func start(ctx workflow.Context, in Input) (Output, error) {
	m := &monitorRun{in: in, poll: workflow.GetInfo(ctx).WorkflowExecution.ID}
	err := m.run(ctx)
	return m.out, err
}

// run starts what a decision calls for before it looks after anything else: a goal that became certain waits for no housekeeping.
func (m *monitorRun) run(ctx workflow.Context) error {
	began := workflow.Now(ctx)
	var err error
	if m.plan, err = PlanCycle.Do(ctx, m.poll, "which matches are due?"); err != nil {
		return err
	}
	m.polls = m.ask(ctx, PollChunk, m.plan.Calls)
	if err := m.decide(ctx); err != nil {
		return err
	}
	if m.plan.Ingest != nil {
		m.ingest(ctx)
	}
	if m.plan.Open {
		m.reconcile(ctx)
	}
	if m.plan.Sweep {
		_ = cleanup.Sweep.Run(ctx, m.in.Timing, "delete what is left over") // logged where it fails; the next sweep comes anyway
	}
	return m.lookAgain(ctx, began)
}

// lookAgain looks at the matches with an open vote once more, as a poll of its own, when the feed can have news of them. A cycle that
// took longer leaves it out, and nothing is tried twice: the next cycle must not wait.
func (m *monitorRun) lookAgain(ctx workflow.Context, began time.Time) error {
	wait, list := began.Add(m.plan.SecondLook).Sub(workflow.Now(ctx)), chunks(m.voting)
	if wait <= 0 || len(list) == 0 {
		return nil
	}
	if err := workflow.NewTimerWithOptions(ctx, wait, workflow.TimerOptions{Summary: "the feed has news of open votes"}).Get(ctx, nil); err != nil {
		return err
	}
	m.poll = workflow.GetInfo(ctx).WorkflowExecution.RunID // the engine knows a run by either of its ids
	in := DecideInput{Poll: m.poll, SecondLook: true}
	for _, p := range m.ask(ctx, PollChunk.Once(), list) {
		m.out.Again += p.Answered
		in.Changed = append(in.Changed, p.Changed...)
		in.Regressed = append(in.Regressed, p.Regressed...)
	}
	return m.decideOn(ctx, in)
}

// ingest starts what fetches today's list, unless it runs, and lets it go.
func (m *monitorRun) ingest(ctx workflow.Context) {
	c := policy.Child{ID: ingest.WorkflowID(*m.plan.Ingest, workflow.Now(ctx)), Summary: "today's list is missing", Reuse: enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE}
	if err := ingest.Workflow.Leave(ctx, c, *m.plan.Ingest); err != nil {
		workflow.GetLogger(ctx).Error("ingest not started", "module", "monitor", "action", "start_ingest", "error", err)
	}
}

// reconcile goes on with what earlier runs left. If it fails the next cycle does it.
func (m *monitorRun) reconcile(ctx workflow.Context) {
	todo, err := Reconcile.Do(ctx, ReconcileInput{Poll: m.poll, Timing: m.in.Timing}, "go on with what earlier runs left")
	if err != nil {
		workflow.GetLogger(ctx).Error("not reconciled", "module", "monitor", "action", "reconcile", "error", err)
		return
	}
	m.start(ctx, todo)
}

// start starts searches, then downloads, then what is done ahead, and lets them go once they have certainly started: what has not is
// started by a later cycle. They start side by side, because the engine takes some 0.15 s for each. A search that runs is told of a
// correction, once those before it have started.
func (m *monitorRun) start(ctx workflow.Context, todo Todo) {
	var begun []func()
	begin := func(what, id string, child workflow.ChildWorkflowFuture) {
		begun = append(begun, func() {
			if err := policy.Started(ctx, child); err != nil {
				workflow.GetLogger(ctx).Error(what+" not started", "module", "monitor", "action", "start", "workflow", id, "error", err)
			} else if what == "search" {
				m.out.Searches++
			}
		})
	}
	started := func() {
		for _, wait := range begun {
			wait()
		}
		begun = nil
	}
	for _, s := range todo.Searches {
		if s.Running != "" && s.Running != s.WorkflowID {
			started()
			if workflow.SignalExternalWorkflow(ctx, s.Running, "", policy.SignalCorrected, s.EventUID).Get(ctx, nil) == nil {
				continue
			}
		}
		s.Timing = m.in.Timing
		c := policy.Child{ID: s.WorkflowID, Summary: s.Label, Reuse: enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE_FAILED_ONLY}
		begin("search", c.ID, search.Workflow.Begin(ctx, c, s.Input))
	}
	for _, d := range todo.Downloads { // what the engine knows under its id ran before a restore
		d.Timing, d.Download, d.Retry = m.in.Timing, d.WorkflowID, true
		c := policy.Child{ID: d.WorkflowID, Summary: d.Label, Reuse: enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE}
		begin("download", c.ID, download.Workflow.Begin(ctx, c, d.Input))
	}
	for _, a := range todo.Ahead {
		a.Timing = m.in.Timing
		c := policy.Child{ID: a.WorkflowID, Summary: a.Label, Reuse: enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE}
		begin("search ahead", c.ID, search.AheadWorkflow.Begin(ctx, c, a.AheadInput))
	}
	started()
}

// ask makes calls side by side. One that fails is a failed poll for its fixtures and for no others.
func (m *monitorRun) ask(ctx workflow.Context, poll policy.Activity[Chunk, PollResult], chunks []Chunk) (polls []PollResult) {
	futures := make([]policy.Future[PollResult], len(chunks))
	for i, c := range chunks {
		c.Poll = m.poll
		futures[i] = poll.Start(ctx, c, policy.Counted(len(c.IDs), "match", "matches"))
	}
	for i, f := range futures {
		p, err := f.Get(ctx)
		if err != nil {
			p = PollResult{}
			for _, id := range chunks[i].IDs {
				p.Failed = append(p.Failed, Failure{ID: id, Why: short(fault.Words(err))})
			}
		}
		polls = append(polls, p)
	}
	return polls
}

// decide looks at the whole poll, whether it is trusted, before it touches any fixture.
func (m *monitorRun) decide(ctx workflow.Context) error {
	in := DecideInput{Poll: m.poll}
	regressed, vanished := 0, 0
	for _, p := range m.polls {
		m.out.Polled += p.Answered
		in.Changed = append(in.Changed, p.Changed...)
		in.Failed = append(in.Failed, p.Failed...)
		in.Regressed = append(in.Regressed, p.Regressed...)
		regressed += len(p.Regressed)
		vanished += p.Vanished
	}
	trusted, why := debounce.PollTrusted(regressed, vanished)
	in.Distrusted, in.Why = !trusted, why
	m.out.Failed, m.out.Changed, m.out.Activated = len(in.Failed), len(in.Changed), m.plan.Activated
	if in.Distrusted {
		m.out.Distrusted = in.Why
	}
	waits := func(id int64) bool { return slices.Contains(m.plan.Waiting, id) }
	later := in
	later.Changed, later.Failed = slices.DeleteFunc(slices.Clone(in.Changed), func(id int64) bool { return !waits(id) }), nil
	in.Changed = slices.DeleteFunc(in.Changed, waits)
	if err := m.decideOn(ctx, in); err != nil {
		return err
	}
	return m.decideOn(ctx, later) // a goal does not wait for all matches of a slot to be written
}

// decideOn lets the poll vote on some of its fixtures, and starts what follows.
func (m *monitorRun) decideOn(ctx workflow.Context, in DecideInput) error {
	for _, piece := range in.inPieces() {
		todo, err := Decide.Do(ctx, piece, policy.Counted(len(piece.Changed), "match changed", "matches changed"))
		if err != nil {
			return err
		}
		m.out.Completed += todo.Completed
		m.voting = append(m.voting, todo.Voting...)
		m.start(ctx, todo)
	}
	return nil
}
