package trial

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// errTimeUp ends a trial that takes too long, which is a result, and no end of the caller.
var errTimeUp = errors.New("the time of the trial is over")

// ended reports whether the caller is gone.
func ended(ctx context.Context) bool {
	return ctx.Err() != nil && !errors.Is(context.Cause(ctx), errTimeUp)
}

// timeUp is what it means that the time was over: nothing was answered, or not all pictures were shown.
func (r *run) timeUp(answers int) {
	if answers > 0 {
		r.out.TimeUp = true
		return
	}
	r.out.Trouble, r.out.Detail = footy.ReasonModelSlow, "none within "+explain.Span(r.Limits.Whole)
}

// ready waits for a server that says that its model is loading, and gives up one that takes connections and says nothing. What
// else may be wrong, the questions find out.
func (r *run) ready(ctx context.Context) error {
	began, told := r.Now(), time.Duration(-1)
	r.tell(0)
	for {
		look, cancel := context.WithTimeout(ctx, max(r.Limits.Silent-r.Now().Sub(began), time.Millisecond))
		err := r.Reader.Ready(look)
		cancel()
		if ended(ctx) {
			return ctx.Err()
		}
		waited := r.Now().Sub(began)
		r.step.Loading = footy.ReasonOf(err) == footy.ReasonModelLoading
		r.step.Silent = errors.Is(err, context.DeadlineExceeded)
		switch {
		case r.step.Loading:
			r.step.AtMost = r.Limits.Loading
		case r.step.Silent:
			r.step.AtMost = r.Limits.Silent
		default:
			return nil
		}
		if waited >= r.step.AtMost || ctx.Err() != nil {
			r.out.Trouble, r.out.Detail = footy.ReasonModelLoading, fmt.Sprintf("%s was too short for it", explain.Span(waited))
			if r.step.Silent {
				r.out.Trouble, r.out.Detail = footy.ReasonModelUnreachable, fmt.Sprintf("its server accepts connections, but gave no answer for %s", explain.Span(waited))
			}
			return nil
		}
		if told < 0 || waited-told >= r.Limits.Tell {
			told = waited
			r.tell(waited)
		}
		pause := time.NewTimer(r.Limits.Poll)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
		}
	}
}

// tell says how far the trial is.
func (r *run) tell(waited time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	step := r.step
	step.Waited = waited
	r.Progress(step)
}
