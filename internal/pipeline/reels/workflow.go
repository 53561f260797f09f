package reels

import (
	"time"

	"github.com/found-footy/found-footy/internal/decide/clip/reel"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"go.temporal.io/sdk/workflow"
)

// Input is what is asked for.
type Input struct {
	Scope reel.Scope    `json:"scope"`
	Asked time.Duration `json:"asked,omitempty"` // its length; 0: as its clips are long
}

// Workflow is ReelWorkflow: one step after the other until the reel is made as its goals and clips are then. A long reel so takes one core
// and no more, and goals' clips get their turn between two steps.
var Workflow = policy.DefineWorkflow("ReelWorkflow", 3*time.Hour, start) // it may wait for others, and for a disk or a clip store that is away

func start(ctx workflow.Context, in Input) (Step, error) {
	asked := workflow.GetSignalChannel(ctx, policy.SignalAsked)
	for {
		step, err := MakeReel.Do(ctx, in, "the next piece of "+in.Scope.Name())
		if err != nil || step.Made && !again(asked) {
			return step, err
		}
		if step.Made {
			continue // a goal may have been taken back since
		}
		// The page reads here how far the reel is.
		if err := workflow.UpsertMemo(ctx, map[string]any{memoDone: step.Done, memoOf: step.Of}); err != nil {
			return step, err
		}
	}
}

// again reports whether somebody asked for the reel while it was being made.
func again(asked workflow.ReceiveChannel) (yes bool) {
	for asked.ReceiveAsync(nil) {
		yes = true
	}
	return yes
}
