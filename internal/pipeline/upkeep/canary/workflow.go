// Package canary is CanaryWorkflow: now and then it makes a search that always has results and looks whether X's answer
// still has the shape that the decoder expects. X changes without notice; this is how people hear of it before a Saturday.
package canary

import (
	"cmp"
	"context"
	"errors"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/decide/post/fetchhealth"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/policy/fault"
)

// Input says how patient the check is with an X that cannot be looked at: no budget, no login, no answer.
type Input struct {
	Wait  time.Duration `json:"wait"`  // between two tries
	Tries int           `json:"tries"` // at most
}

// Every is the time between two checks; each costs a call of X's budget.
const Every = 6 * time.Hour

// Defaults are the product's own numbers: past one window of X's budget.
func Defaults() Input { return Input{Wait: 10 * time.Minute, Tries: 3} }

// Scaled divides the wait by n, for demonstrations.
func (i Input) Scaled(n int) Input {
	i.Wait /= time.Duration(n)
	return i
}

// Workflow is CanaryWorkflow. Its result is what the last look found.
var Workflow = policy.DefineWorkflow("CanaryWorkflow", time.Hour, start)

func start(ctx workflow.Context, in Input) (source.Canary, error) {
	found, err := look(ctx)
	for try := 1; err == nil && found.again() && try < in.Tries; try++ {
		if err = workflow.NewTimerWithOptions(ctx, in.Wait, workflow.TimerOptions{Summary: "look again"}).Get(ctx, nil); err == nil {
			found, err = look(ctx)
		}
	}
	if err != nil || found.Nothing {
		return found.Canary, err
	}
	if found.Drift {
		workflow.GetLogger(ctx).Error("X has changed: "+found.Detail, "module", "canary", "action", "alert", "sample", found.Sample)
	}
	return found.Canary, SaveCanary.Run(ctx, found.Canary, found.Detail)
}

// look makes one check. A service that does not answer is a look that could not be had, no drift.
func look(ctx workflow.Context) (Look, error) {
	found, err := RunCanary.Do(ctx, policy.Nothing{}, "does X look as expected?")
	if policy.Untaken(err) {
		return Look{Canary: source.Canary{At: workflow.Now(ctx), Detail: "could not look: no account takes searches now"}}, nil
	}
	if err != nil && !temporal.IsCanceledError(err) {
		return Look{Canary: source.Canary{At: workflow.Now(ctx), Detail: "could not look: " + fault.Words(err)}}, nil
	}
	return found, err
}

// RunNow runs the canary's workflow once, without its later looks, and waits for it.
func RunNow(ctx context.Context, c client.Client) (source.Canary, error) {
	ctx, cancel := context.WithTimeout(ctx, 4*time.Minute)
	defer cancel()
	run, err := Workflow.Start(ctx, c, client.StartWorkflowOptions{ID: policy.CanaryID + "-now", WorkflowExecutionTimeout: 5 * time.Minute,
		StaticSummary: "does X still look as expected? (asked for)"}, Input{Tries: 1})
	if err != nil {
		return source.Canary{}, err
	}
	var found source.Canary
	return found, run.Get(ctx, &found)
}

// StateKey is where the last finding lies in the store's service state.
const StateKey = "canary"

// Activities of the canary.
type Activities struct {
	Store   store.Store
	Source  source.Source
	Fetcher source.Fetcher
	Page    footy.Publisher
	Now     func() time.Time
}

// Look is one check.
type Look struct {
	source.Canary
	Nothing bool `json:"nothing,omitempty"` // no source searches X's page
}

// again tells whether a later look may see more.
func (l Look) again() bool { return !l.OK && !l.Drift && !l.Nothing }

// RunCanary is Run, as workflows call it. Goals go first.
var RunCanary = policy.Define[policy.Nothing, Look]("run_canary", policy.Row{Queue: policy.QueueSearch, Priority: 5, Timeout: 90 * time.Second, Tries: 2, Pause: 30 * time.Second,
	Why: "one browser search; the workflow looks again later"})

// Run makes the checks: a post of each place that was fetched before, down to its first bytes, and a search, which takes one call of the
// account.
func (a *Activities) Run(ctx context.Context) (Look, error) {
	for _, at := range source.Places {
		if err := a.fetch(ctx, at); err != nil {
			return Look{}, err
		}
	}
	c, err := source.CanaryOf(ctx, a.Source)
	if errors.Is(err, source.ErrNoCanary) {
		return Look{Nothing: true, Canary: source.Canary{Detail: err.Error()}}, nil
	}
	return Look{Canary: c}, err
}

// fetch looks whether a known post of a place can still be had and notes it where the health page and every worker look.
func (a *Activities) fetch(ctx context.Context, at source.Place) error {
	h, err := store.Fact[source.FetchHealth](ctx, a.Store, at.FetchHealthKey())
	if err != nil || h.Known == nil { // nothing was fetched yet
		return err
	}
	known, failure := source.ProbeKnown(ctx, a.Fetcher, h)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	why := footy.ReasonOf(failure)
	if failure != nil {
		known = *h.Known
		why = cmp.Or(why, footy.ReasonFetchFailed)
	}
	_, err = store.ChangeState(ctx, a.Store, at.FetchHealthKey(), func(h *source.FetchHealth) error {
		*h = fetchhealth.Note(*h, known.PostID, why, known, a.Now())
		return nil
	})
	return err
}

// SaveCanary is Save, as workflows call it.
var SaveCanary = policy.Define[source.Canary, policy.Nothing]("save_canary", policy.Row{Queue: policy.QueueMain, Timeout: 30 * time.Second,
	Why: "one write; an alert depends on it"})

// Save keeps a finding. A look that could not be had does not take back that X has changed: only a good one does.
func (a *Activities) Save(ctx context.Context, found source.Canary) error {
	before, err := store.Fact[source.Canary](ctx, a.Store, StateKey)
	if err != nil || before.Drift && !found.OK && !found.Drift {
		return err
	}
	if err := a.Store.PutState(ctx, StateKey, found); err != nil {
		return err
	}
	a.Page.Publish(ctx, "health")
	return nil
}
