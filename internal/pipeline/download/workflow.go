// Package download is DownloadWorkflow: it drives the posts of one batch through metadata gate, download, digest, decode and
// validation, each as far as it gets, and then tells the event's Upload. What happened to a post stands in the ledger; what
// could not be done waits there.
package download

import (
	"fmt"

	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/rule/ledger"
	"go.temporal.io/sdk/workflow"
)

// Input names the batch; its posts lie in the ledger.
type Input struct {
	FixtureID int64         `json:"fixture_id"`
	EventUID  string        `json:"event_uid"`
	Batch     string        `json:"batch"`
	Retry     bool          `json:"retry,omitempty"` // posts that are tried again: others go first
	Timing    policy.Timing `json:"timing"`
}

// Output counts for operators.
type Output struct {
	Posts    int `json:"posts"`
	Fetched  int `json:"fetched"`
	Accepted int `json:"accepted"`
	Waiting  int `json:"waiting,omitempty"`
}

// batch is the state of one DownloadWorkflow.
type batch struct {
	in    Input
	open  RegisterResult
	judge []string // post ids whose verdict is missing
	count Output
}

// Workflow is DownloadWorkflow.
func Workflow(ctx workflow.Context, in Input) (Output, error) {
	b := &batch{in: in}
	err := b.run(ctx)
	return b.count, err
}

func (b *batch) run(ctx workflow.Context) error {
	if err := policy.Do(ctx, policy.RegisterDownload, "register: its search counts from here", b.in, &b.open); err != nil {
		return err
	}
	if b.open.Done {
		return nil
	}
	if err := b.fetch(ctx); err != nil {
		return err
	}
	if err := b.validate(ctx); err != nil {
		return err
	}
	return policy.Do(ctx, policy.QueueUpload, fmt.Sprintf("%d accepted, %d waiting", b.count.Accepted, b.count.Waiting), b.in, nil)
}

// fetch gets all posts side by side. What cannot be had now waits in the ledger and holds the others up no longer.
func (b *batch) fetch(ctx workflow.Context) error {
	b.count.Posts = len(b.open.Posts)
	futures := map[string]workflow.Future{}
	for _, p := range b.open.Posts {
		if p.Step == ledger.StepFetch {
			futures[p.PostID] = workflow.ExecuteActivity(b.inTurn(ctx, policy.DownloadVideo, "post "+p.PostID), string(policy.DownloadVideo), DownloadInput{Input: b.in, PostID: p.PostID})
		}
	}
	for _, p := range b.open.Posts {
		step := p.Step
		if f, fetching := futures[p.PostID]; fetching {
			var got DownloadResult
			if err := f.Get(ctx, &got); err != nil {
				return err
			}
			step = got.Step
			if got.Waiting {
				b.count.Waiting++
				continue
			}
			b.count.Fetched++
		}
		switch step {
		case ledger.StepJudge:
			b.judge = append(b.judge, p.PostID)
		case ledger.StepPublish:
			b.count.Accepted++
		case ledger.StepFetch, ledger.StepNone:
		}
	}
	return nil
}

// validate asks for verdicts, some at a time: between two turns the model's slot is free for other goals.
func (b *batch) validate(ctx workflow.Context) error {
	for len(b.judge) > 0 {
		ctx := b.inTurn(ctx, policy.Validate, "look at "+policy.Counted(len(b.judge), "clip", "clips"))
		var got ValidateResult
		err := workflow.ExecuteActivity(ctx, string(policy.Validate), ValidateInput{Input: b.in, Posts: b.judge}).Get(ctx, &got)
		if err != nil {
			return err
		}
		b.count.Accepted += got.Accepted
		b.count.Waiting += got.Waiting
		if len(got.Left) >= len(b.judge) {
			return nil // no step forward: reconcile tries them again
		}
		b.judge = got.Left
	}
	return nil
}

// inTurn are the options of what goals share. Each goal's first find goes before further ones of others: where the model is slow,
// a goal that falls now does not wait behind the fourth copy of one before. New finds go before those of old goals, and these
// before posts that are tried again. What was fetched and judged is shown before all of them (policy.Options).
func (b *batch) inTurn(ctx workflow.Context, a policy.Activity, summary string) workflow.Context {
	opts := policy.Options(a, summary)
	switch {
	case b.in.Retry:
		opts.Priority.PriorityKey = 5
	case b.open.Old:
		opts.Priority.PriorityKey = 4
	case b.open.First:
		opts.Priority.PriorityKey = 2
	default:
		opts.Priority.PriorityKey = 3
	}
	return workflow.WithActivityOptions(ctx, opts)
}
