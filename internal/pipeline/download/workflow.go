// Package download is DownloadWorkflow: it drives the posts of one batch through metadata gate, download, digest, decode and
// validation, each as far as it gets, and then tells the event's Upload. What happened to a post stands in the ledger; what
// could not be done waits there.
package download

import (
	"fmt"

	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/rule/ledger"
	"go.temporal.io/sdk/temporal"
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
			futures[p.PostID] = policy.Start(ctx, policy.DownloadVideo, "post "+p.PostID, DownloadInput{Input: b.in, PostID: p.PostID})
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
		opts := policy.Options(policy.Validate, "look at "+policy.Counted(len(b.judge), "clip", "clips"))
		opts.Priority = temporal.Priority{PriorityKey: b.priority()}
		var got ValidateResult
		err := workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, opts), string(policy.Validate), ValidateInput{Input: b.in, Posts: b.judge}).Get(ctx, &got)
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

// priority lets the model look at new finds before those that are tried again.
func (b *batch) priority() int {
	if b.in.Retry {
		return 4
	}
	return 2
}
