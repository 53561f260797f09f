// Package canary is CanaryWorkflow: now and then it makes a search that always has results and looks whether X's answer
// still has the shape that the decoder expects. X changes without notice; this is how people hear of it before a Saturday.
package canary

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/policy/fault"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
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
