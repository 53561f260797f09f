// Package publish is UploadWorkflow: one per event, it takes batches one after the other and turns accepted videos into
// ranked clips. Everything that changes an event's clips goes through here or through an operator's command.
package publish

import (
	"fmt"

	"github.com/found-footy/found-footy/internal/pipeline/acquire"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"go.temporal.io/sdk/workflow"
)

// Output counts for operators.
type Output struct {
	Batches  int  `json:"batches"`
	Complete bool `json:"complete"`
}

// upload is the state of one UploadWorkflow.
type upload struct {
	in      acquire.UploadInput
	batches workflow.ReceiveChannel
	out     Output
}

// Workflow is UploadWorkflow.
func Workflow(ctx workflow.Context, in acquire.UploadInput) (Output, error) {
	u := &upload{in: in, batches: workflow.GetSignalChannel(ctx, policy.SignalAddVideos)}
	err := u.run(ctx)
	return u.out, err
}

// run takes batches until none comes for a while or the event is complete; a signal that arrives while we leave is
// taken too, because returning with one unread would lose a batch.
func (u *upload) run(ctx workflow.Context) error {
	for {
		b, ok := u.next(ctx)
		if !ok {
			return u.failsafe(ctx)
		}
		if err := u.settle(ctx, b); err != nil {
			return err
		}
	}
}

func (u *upload) next(ctx workflow.Context) (b acquire.Handover, ok bool) {
	if u.batches.ReceiveAsync(&b) {
		return b, true
	}
	if u.out.Complete {
		return b, false
	}
	ok, _ = u.batches.ReceiveWithTimeout(ctx, u.in.Timing.UploadIdle, &b)
	return b, ok
}

// settle publishes one batch. An error here ends the workflow; the batch stays open with the event and Monitor's
// reconcile step settles it as lost, with its reason.
func (u *upload) settle(ctx workflow.Context, b acquire.Handover) error {
	u.out.Batches++
	step, summary := policy.SaveVideos, b.Download
	if n := len(b.Items); n > 0 {
		step, summary = policy.UploadVideos, fmt.Sprintf("%d videos of %s", n, b.Download)
	}
	var saved Saved
	if err := policy.Do(ctx, step, summary, b, &saved); err != nil {
		return err
	}
	if !saved.Complete {
		return nil
	}
	u.out.Complete = true
	if !saved.Losers {
		return nil
	}
	return policy.Do(ctx, policy.CleanupLosers, "retired copies", u.in, nil)
}

// failsafe looks once more whether the event is complete before leaving.
func (u *upload) failsafe(ctx workflow.Context) error {
	if u.out.Complete {
		return nil
	}
	return policy.Do(ctx, policy.MarkComplete, "last look", u.in, &u.out.Complete)
}
