package reels

import (
	"time"

	"go.temporal.io/sdk/workflow"

	"github.com/found-footy/found-footy/internal/extra/reels/rule"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
)

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
