package fault

import (
	"context"
	"errors"
	"log/slog"

	sdk "go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/temporal"

	"github.com/found-footy/found-footy/internal/footy"
)

// Interceptor translates the errors of every activity of a worker, and logs an activity that gave up for good; the tries before are for
// debugging.
func Interceptor(log *slog.Logger) interceptor.WorkerInterceptor { return &worker{log: log} }

type worker struct {
	interceptor.WorkerInterceptorBase
	log *slog.Logger
}

// InterceptActivity implements interceptor.WorkerInterceptor.
func (w *worker) InterceptActivity(_ context.Context, next interceptor.ActivityInboundInterceptor) interceptor.ActivityInboundInterceptor {
	a := &activity{log: w.log}
	a.Next = next
	return a
}

type activity struct {
	interceptor.ActivityInboundInterceptorBase
	log *slog.Logger
}

// ExecuteActivity implements interceptor.ActivityInboundInterceptor.
func (a *activity) ExecuteActivity(ctx context.Context, in *interceptor.ExecuteActivityInput) (any, error) {
	out, err := a.Next.ExecuteActivity(ctx, in)
	err = Translate(err)
	if info := sdk.GetInfo(ctx); err != nil && ctx.Err() == nil && gaveUp(err, info.Attempt, info.RetryPolicy) {
		level := slog.LevelWarn
		switch CodeOf(err) {
		case footy.CodeRejected, footy.CodeGeoBlocked, footy.CodeNotFound: // an answer, which the goal's page tells
			level = slog.LevelDebug
		}
		a.log.Log(ctx, level, info.ActivityType.Name+" gave up: "+Words(err), "action", info.ActivityType.Name,
			"workflow_id", info.WorkflowExecution.ID, "attempt", int(info.Attempt))
	}
	return out, err
}

// gaveUp reports whether a failed try was the last.
func gaveUp(err error, attempt int32, policy *temporal.RetryPolicy) bool {
	if app, ok := errors.AsType[*temporal.ApplicationError](err); ok && app.NonRetryable() {
		return true
	}
	return policy != nil && policy.MaximumAttempts > 0 && attempt >= policy.MaximumAttempts
}
