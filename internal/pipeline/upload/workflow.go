// Package upload is UploadWorkflow: one per event, it takes batches one after the other and turns accepted posts into
// ranked clips. Everything that changes an event's clips goes through here or through an operator's command.
package upload

import (
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// Output counts for operators.
type Output struct {
	Batches  int  `json:"batches"`
	Failed   int  `json:"failed,omitempty"` // batches that the ledger will bring again
	Complete bool `json:"complete"`
}

// upload is the state of one UploadWorkflow.
type upload struct {
	in      download.UploadInput
	batches workflow.ReceiveChannel
	out     Output
}

// Workflow is UploadWorkflow.
func Workflow(ctx workflow.Context, in download.UploadInput) (Output, error) {
	u := &upload{in: in, batches: workflow.GetSignalChannel(ctx, policy.SignalAddVideos)}
	err := u.run(ctx)
	return u.out, err
}

// run takes batches until none comes for a while and the last look is done. A batch that arrives during that look is taken,
// too: returning with a signal unread would lose it until reconcile finds it.
func (u *upload) run(ctx workflow.Context) error {
	for {
		b, ok := u.next(ctx)
		if ok {
			if err := u.settle(ctx, b); err != nil {
				return err
			}
			continue
		}
		if err := u.lastLook(ctx); err != nil {
			return err
		}
		if u.batches.Len() == 0 {
			return nil
		}
	}
}

func (u *upload) next(ctx workflow.Context) (b download.Handover, ok bool) {
	if u.batches.ReceiveAsync(&b) {
		return b, true
	}
	if u.out.Complete {
		return b, false
	}
	more := workflow.AwaitOptions{Timeout: u.in.Timing.UploadIdle, TimerOptions: workflow.TimerOptions{Summary: "wait for more clips"}}
	_, _ = workflow.AwaitWithOptions(ctx, more, func() bool { return u.batches.Len() > 0 })
	ok = u.batches.ReceiveAsync(&b)
	return b, ok
}

// settle publishes one batch. One that fails holds up no other: what it has stays in the ledger, and reconcile brings it again.
func (u *upload) settle(ctx workflow.Context, b download.Handover) error {
	u.out.Batches++
	var saved Saved
	err := policy.Do(ctx, policy.UploadVideos, "clips of "+b.Batch, SaveInput{UploadInput: u.in, Batch: b.Batch}, &saved)
	if temporal.IsCanceledError(err) {
		return err
	}
	if err != nil {
		u.out.Failed++
		workflow.GetLogger(ctx).Error("batch not published", "module", "upload", "action", "settle", "batch", b.Batch, "error", err)
		return nil // told above, and kept in the ledger
	}
	u.out.Complete = saved.Complete
	if !saved.Complete || !saved.Copies {
		return nil
	}
	return policy.Do(ctx, policy.CleanupCopies, "delete the bytes of replaced copies", u.in, nil)
}

// lastLook looks once more whether the event is complete before leaving.
func (u *upload) lastLook(ctx workflow.Context) error {
	if u.out.Complete {
		return nil
	}
	return policy.Do(ctx, policy.MarkComplete, "is everything settled?", u.in, &u.out.Complete)
}
