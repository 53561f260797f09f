package reels

import (
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/fault"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/rule/reel"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// Input is what is asked for.
type Input struct {
	Scope reel.Scope    `json:"scope"`
	Asked time.Duration `json:"asked,omitempty"` // its length; 0: as its clips are long
}

// Output names what was made.
type Output struct {
	Key    string `json:"key"`
	Pieces int    `json:"pieces"`
}

// rounds is how often a reel is planned anew because its goals changed while it was made: the last one may be outdated, which the page
// sees.
const rounds = 4

// compilation is the state of one ReelWorkflow.
type compilation struct {
	in   Input
	plan reel.Plan
}

// Workflow is ReelWorkflow.
func Workflow(ctx workflow.Context, in Input) (Output, error) {
	c := &compilation{in: in}
	err := c.run(ctx)
	return Output{c.plan.Key, len(c.plan.Pieces)}, err
}

func (c *compilation) run(ctx workflow.Context) (err error) {
	for range rounds {
		var planned Planned
		if err := policy.Do(ctx, policy.PlanReel, "what is it made of now?", c.in, &planned); err != nil {
			return err
		}
		if c.plan = planned.Plan; planned.Made {
			return nil
		}
		if err = c.make(ctx); err != nil && fault.CodeOf(err) != footy.CodeNotFound {
			return err
		}
	}
	return err
}

// make makes the pieces one after the other, so that a long reel takes one core and no more, and joins them. What somebody deleted
// meanwhile, a clip or a piece, is planned or made anew in the next round.
func (c *compilation) make(ctx workflow.Context) error {
	for i, p := range c.plan.Pieces {
		if err := c.tell(ctx, i); err != nil {
			return err
		}
		if err := c.do(ctx, policy.MakePiece, fmt.Sprintf("%d of %d: %s", i+1, len(c.plan.Pieces), p.Lines[0]), PieceInput{c.in.Scope.Name(), p}); err != nil {
			return err
		}
	}
	if err := c.tell(ctx, len(c.plan.Pieces)); err != nil {
		return err
	}
	return c.do(ctx, policy.JoinReel, policy.Counted(len(c.plan.Pieces), "piece", "pieces"), c.plan)
}

// do runs an activity behind those of goals.
func (c *compilation) do(ctx workflow.Context, a policy.Activity, summary string, in any) error {
	opts := policy.Options(a, summary)
	opts.Priority = temporal.Priority{PriorityKey: 5}
	return workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, opts), string(a), in).Get(ctx, nil)
}

// tell writes down how far it is, where whoever looks at the workflow sees it.
func (c *compilation) tell(ctx workflow.Context, done int) error {
	return workflow.UpsertMemo(ctx, map[string]any{memoDone: done, memoOf: len(c.plan.Pieces) + 1})
}
