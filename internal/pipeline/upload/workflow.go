// Package upload is UploadWorkflow: one per event, it is told by each Download that has ended and turns accepted posts into
// ranked clips. Everything that changes an event's clips goes through here or through an operator's command.
package upload

import (
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/found-footy/found-footy/internal/pipeline/policy"
)

// Input starts UploadWorkflow; Downloads come as signals.
type Input = policy.EventInput

// Handover tells an event's Upload that a Download has ended: what was accepted stands in the ledger.
type Handover struct {
	Download string `json:"download"`
}

// Output counts for operators.
type Output struct {
	Downloads int  `json:"downloads"`
	Failed    int  `json:"failed,omitempty"` // that reconcile will bring again
	Complete  bool `json:"complete"`
}

// upload is the state of one UploadWorkflow.
type upload struct {
	in   Input
	told workflow.ReceiveChannel
	out  Output
}

// Workflow is UploadWorkflow.
var Workflow = policy.DefineWorkflow("UploadWorkflow", 6*time.Hour, start) // one per event, alive while Downloads come

func start(ctx workflow.Context, in Input) (Output, error) {
	u := &upload{in: in, told: workflow.GetSignalChannel(ctx, policy.SignalAddVideos)}
	err := u.run(ctx)
	return u.out, err
}

// run publishes for each Download until none comes for a while and the last look is done. One that comes during that look is
// served, too: returning with a signal unread would leave its posts until reconcile finds them.
func (u *upload) run(ctx workflow.Context) error {
	for {
		b, ok := u.next(ctx)
		if ok {
			if err := u.publish(ctx, b); err != nil {
				return err
			}
			continue
		}
		if err := u.lastLook(ctx); err != nil {
			return err
		}
		if u.told.Len() == 0 {
			return nil
		}
	}
}

func (u *upload) next(ctx workflow.Context) (b Handover, ok bool) {
	if u.told.ReceiveAsync(&b) {
		return b, true
	}
	if u.out.Complete {
		return b, false
	}
	more := workflow.AwaitOptions{Timeout: u.in.Timing.UploadIdle, TimerOptions: workflow.TimerOptions{Summary: "wait for more clips"}}
	_, _ = workflow.AwaitWithOptions(ctx, more, func() bool { return u.told.Len() > 0 })
	ok = u.told.ReceiveAsync(&b)
	return b, ok
}

// publish publishes what one Download brought. One that fails holds up no other: its posts stay in the ledger, and reconcile brings
// them again.
func (u *upload) publish(ctx workflow.Context, b Handover) error {
	u.out.Downloads++
	saved, err := UploadVideos.Do(ctx, SaveInput{Input: u.in, Download: b.Download}, "clips of "+b.Download)
	if temporal.IsCanceledError(err) {
		return err
	}
	if err != nil {
		u.out.Failed++
		workflow.GetLogger(ctx).Error("clips not published", "module", "upload", "action", "publish", "download", b.Download, "error", err)
		return nil // told above, and kept in the ledger
	}
	u.out.Complete = saved.Complete
	if !saved.Complete || !saved.Copies {
		return nil
	}
	return CleanupCopies.Run(ctx, u.in, "delete the bytes of replaced copies")
}

// lastLook looks once more whether the event is complete before leaving.
func (u *upload) lastLook(ctx workflow.Context) error {
	if u.out.Complete {
		return nil
	}
	var err error
	u.out.Complete, err = MarkComplete.Do(ctx, u.in, "has every post ended?")
	return err
}
