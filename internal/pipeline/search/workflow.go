// Package search is TwitterWorkflow: it searches one certain goal again and again until enough usable searches are
// registered. Each search starts a Download of its own for the posts it chose.
package search

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/workflow"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/ingest/alias"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
)

// Input names the event; the round is read from the store, which may open a new one while we run.
type Input = policy.EventInput

// Output tells operators how the search ended.
type Output struct {
	Tries      int          `json:"tries"`
	Registered int          `json:"registered"`
	End        footy.Reason `json:"end,omitempty"`
}

// search is the state of one TwitterWorkflow.
type search struct {
	in         Input
	begun      Beginning
	tries      int // searches tried in this round
	registered int
	unusable   int // unusable searches in a row
	blocked    int // waits in a row in which nobody could look
	corrected  workflow.ReceiveChannel
}

// Workflow is TwitterWorkflow.
var Workflow = policy.DefineWorkflow("TwitterWorkflow", 2*time.Hour, start) // a login may be waited for longer: then it is begun again

func start(ctx workflow.Context, in Input) (Output, error) {
	s := &search{in: in, corrected: workflow.GetSignalChannel(ctx, policy.SignalCorrected)}
	end, err := s.run(ctx)
	return Output{Tries: s.tries, Registered: s.registered, End: end}, err
}

func (s *search) run(ctx workflow.Context) (footy.Reason, error) {
	if err := s.begin(ctx); err != nil {
		return "", err
	}
	for {
		end, err := s.round(ctx)
		if err != nil {
			return "", err
		}
		if err := s.end(ctx, end); err != nil {
			return "", err
		}
		if !s.corrected.ReceiveAsync(nil) { // a correction may come while the round is being closed
			return end, nil
		}
		if err := s.begin(ctx); err != nil {
			return "", err
		}
	}
}

// round searches until the round is over or the goal is gone.
func (s *search) round(ctx workflow.Context) (footy.Reason, error) {
	for {
		started := workflow.Now(ctx)
		found, err := s.try(ctx)
		if err != nil {
			return "", err
		}
		switch {
		case found.Over:
			return found.End, nil
		case found.NewRound:
			err = s.begin(ctx)
		default:
			err = s.wait(ctx, started, found)
		}
		if err != nil {
			return "", err
		}
	}
}

// begin marks the round as taken up, before anything else: if this fails, Monitor starts us again. A team nobody looked up is
// looked up beside the first searches, which go out with its plain name.
func (s *search) begin(ctx workflow.Context) error {
	in := BeginInput{Input: s.in, WorkflowID: workflow.GetInfo(ctx).WorkflowExecution.ID}
	var err error
	if s.begun, err = BeginSearch.Do(ctx, in, "take the goal up: searching begins"); err != nil {
		return err
	}
	s.tries, s.registered, s.unusable, s.blocked = s.begun.Tries, 0, 0, 0
	if s.begun.NeedAliases { // where it does not start the search goes on with the team's own name: better a poorer query than none
		_ = alias.Workflow.Leave(ctx, alias.Child(s.begun.Team), s.begun.Input)
	}
	return nil
}

// try makes one search. A search service that cannot be reached is a wait, not an end.
func (s *search) try(ctx workflow.Context) (SearchResult, error) {
	in := SearchInput{Input: s.in, Round: s.begun.Round, Try: s.tries + 1}
	queued := workflow.Now(ctx)
	turn := s.in.Timing.Priority(queued.Sub(s.begun.Since))
	found, err := Search.At(turn).Do(ctx, in, fmt.Sprintf("search %d; %d have counted", in.Try, s.registered))
	if policy.Untaken(err) {
		found, err = NoteUntaken.Do(ctx, UntakenInput{in, queued}, "nobody takes the search")
	}
	if err != nil {
		return found, err
	}
	if !found.Free && !found.NewRound {
		s.tries++
	}
	s.registered = found.Registered
	return found, nil
}

// wait sleeps until the next search is due, after unusable ones longer each time, or until a corrected scorer opens a new round.
func (s *search) wait(ctx workflow.Context, started time.Time, found SearchResult) error {
	if found.Untaken {
		return nil // into the queue again, with the priority it now has
	}
	t := s.in.Timing
	pause := max(t.SearchEvery-workflow.Now(ctx).Sub(started), t.SearchPause)
	if !found.Free {
		s.blocked = 0
	}
	switch {
	case found.Usable:
		s.unusable = 0
		if len(t.SearchAt) > 0 {
			pause = max(found.Next, found.RetryAfter, t.SearchPause)
		}
	case found.State == source.StateRateLimited && found.RetryAfter > 0: // in time for the call that comes free
		pause = max(found.RetryAfter, t.SearchPause) // else others take it, each time
	case found.Free: // the wait hardly grows: the goal should go on soon after somebody has logged in or the service is back
		s.blocked++
		pause = max(min(time.Duration(s.blocked)*t.SearchPause, t.SearchEvery), found.RetryAfter)
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
		return s.begin(ctx)
	}
	return err
}

func (s *search) end(ctx workflow.Context, why footy.Reason) error {
	return EndSearch.Run(ctx, EndInput{Input: s.in, Round: s.begun.Round, Why: why}, "no more searches of this round")
}
