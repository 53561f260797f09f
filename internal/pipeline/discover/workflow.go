// Package discover is TwitterWorkflow: it searches one certain goal again and again until enough usable searches are
// registered, and hands each search's candidates to a Download of their own.
package discover

import (
	"errors"
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/acquire"
	"github.com/found-footy/found-footy/internal/pipeline/alias"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/source"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// Input names the event; the round is read from the store, which may open a new one while we run.
type Input struct {
	FixtureID int64         `json:"fixture_id"`
	EventUID  string        `json:"event_uid"`
	Timing    policy.Timing `json:"timing"`
}

// Output tells operators how the search ended.
type Output struct {
	Tries      int          `json:"tries"`
	Registered int          `json:"registered"`
	End        footy.Reason `json:"end,omitempty"`
}

// search is the state of one TwitterWorkflow.
type search struct {
	in         Input
	begun      Begun
	tries      int // searches tried in this round
	registered int
	unusable   int // unusable searches in a row
	corrected  workflow.ReceiveChannel
}

// Workflow is TwitterWorkflow.
func Workflow(ctx workflow.Context, in Input) (Output, error) {
	s := &search{in: in, corrected: workflow.GetSignalChannel(ctx, policy.SignalCorrected)}
	end, err := s.run(ctx)
	return Output{Tries: s.tries, Registered: s.registered, End: end}, err
}

func (s *search) run(ctx workflow.Context) (footy.Reason, error) {
	if err := s.begin(ctx); err != nil {
		return "", err
	}
	for s.tries < s.in.Timing.Tries {
		started := workflow.Now(ctx)
		found, err := s.try(ctx)
		switch {
		case err != nil:
			return "", err
		case found.End != "":
			return s.end(ctx, found.End)
		case found.Enough:
			return s.end(ctx, "")
		}
		if found.Download != "" {
			s.startDownload(ctx, found.Download)
		}
		if err := s.wait(ctx, started, found); err != nil {
			return "", err
		}
	}
	return s.end(ctx, footy.ReasonTriesUsed)
}

// begin marks the round as taken up, before anything else: if this fails, Monitor starts us again.
func (s *search) begin(ctx workflow.Context) error {
	in := Ref{FixtureID: s.in.FixtureID, EventUID: s.in.EventUID, WorkflowID: workflow.GetInfo(ctx).WorkflowExecution.ID}
	if err := policy.Do(ctx, policy.BeginSearch, "take up the round", in, &s.begun); err != nil {
		return err
	}
	if !s.begun.NeedAliases {
		return nil
	}
	child := workflow.WithChildOptions(ctx, workflow.ChildWorkflowOptions{
		WorkflowID:        alias.WorkflowID(s.begun.Team.ID),
		TaskQueue:         policy.QueueMain,
		ParentClosePolicy: enums.PARENT_CLOSE_POLICY_ABANDON,
	})
	err := workflow.ExecuteChildWorkflow(child, policy.RAGWorkflow, alias.Input{Team: s.begun.Team, Country: s.begun.Country, National: s.begun.National}).Get(ctx, nil)
	if err != nil { // the search falls back to the team's own name; better a poorer query than none
		workflow.GetLogger(ctx).Warn("aliases not resolved", "module", "discover", "action", "aliases", "team", s.begun.Team.Name, "error", err)
	}
	return nil
}

// try makes one search. A search service that cannot be reached is an unusable search, not an end.
func (s *search) try(ctx workflow.Context) (Found, error) {
	in := Try{Ref: Ref{FixtureID: s.in.FixtureID, EventUID: s.in.EventUID}, Number: s.tries + 1, Timing: s.in.Timing}
	opts := policy.Options(policy.Search, fmt.Sprintf("search %d, %d registered", in.Number, s.registered))
	opts.Priority = temporal.Priority{PriorityKey: Priority(in.Number)}
	var found Found
	err := workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, opts), string(policy.Search), in).Get(ctx, &found)
	if temporal.IsCanceledError(err) {
		return found, err
	}
	if err != nil {
		found = Found{Usable: false, State: "unreachable"}
	}
	if !found.Free {
		s.tries++
	}
	s.registered = found.Registered
	return found, nil
}

// Priority puts young goals first: early searches find what everybody wants to see.
func Priority(try int) int { return min(1+(try-1)/3, 5) }

// startDownload starts the batch's workflow and lets it go once it has certainly started. A start that fails leaves
// the batch with the event, where Monitor's reconcile step finds it.
func (s *search) startDownload(ctx workflow.Context, id string) {
	child := workflow.WithChildOptions(ctx, workflow.ChildWorkflowOptions{
		WorkflowID:            id,
		TaskQueue:             policy.QueueMain,
		ParentClosePolicy:     enums.PARENT_CLOSE_POLICY_ABANDON,
		WorkflowIDReusePolicy: enums.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE,
		StaticSummary:         s.begun.Label,
	})
	in := acquire.Input{FixtureID: s.in.FixtureID, EventUID: s.in.EventUID, Download: id, Timing: s.in.Timing}
	err := workflow.ExecuteChildWorkflow(child, policy.DownloadWorkflow, in).GetChildWorkflowExecution().Get(ctx, nil)
	var started *temporal.ChildWorkflowExecutionAlreadyStartedError
	if err != nil && !errors.As(err, &started) {
		workflow.GetLogger(ctx).Error("download not started", "module", "discover", "action", "start_download", "download", id, "error", err)
	}
}

// wait sleeps until the next search is due, longer after unusable ones, or until a corrected scorer opens a new round.
func (s *search) wait(ctx workflow.Context, started time.Time, found Found) error {
	t := s.in.Timing
	pause := max(t.AttemptEvery-workflow.Now(ctx).Sub(started), t.AttemptMin)
	switch {
	case found.Usable:
		s.unusable = 0
	case found.Free && found.State == source.StateRateLimited && found.RetryAfter > 0: // in time for the call that comes free
		pause = max(found.RetryAfter, t.AttemptMin) // else others take it, each time
	case found.Free: // the wait does not grow: the goal should go on soon after somebody has logged in
		pause = max(pause, found.RetryAfter)
	default:
		s.unusable++
		pause = max(pause+time.Duration(s.unusable)*t.UnusableWait, found.RetryAfter)
	}
	timer, cancel := workflow.WithCancel(ctx)
	defer cancel()
	var err error
	again := false
	workflow.NewSelector(ctx).
		AddFuture(workflow.NewTimerWithOptions(timer, pause, workflow.TimerOptions{Summary: "next search"}), func(f workflow.Future) { err = f.Get(ctx, nil) }).
		AddReceive(s.corrected, func(c workflow.ReceiveChannel, _ bool) { c.Receive(ctx, nil); again = true }).
		Select(ctx)
	if again {
		s.tries, s.unusable, s.registered = 0, 0, 0
		return s.begin(ctx)
	}
	return err
}

func (s *search) end(ctx workflow.Context, why footy.Reason) (footy.Reason, error) {
	in := Ending{Ref: Ref{FixtureID: s.in.FixtureID, EventUID: s.in.EventUID}, Why: why, Attempts: s.in.Timing.Attempts}
	return why, policy.Do(ctx, policy.EndSearch, "close the round", in, nil)
}
