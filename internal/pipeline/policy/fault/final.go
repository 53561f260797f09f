package fault

import (
	"context"
	"errors"
	"log/slog"

	"github.com/found-footy/found-footy/internal/footy"
	sdk "go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/temporal"
)

type finalFailures struct {
	interceptor.WorkerInterceptorBase
	log *slog.Logger
}

// LogFinalFailure logs an activity that gave up for good; the tries before are for debugging.
func LogFinalFailure(log *slog.Logger) interceptor.WorkerInterceptor {
	return &finalFailures{log: log}
}

// InterceptActivity implements interceptor.WorkerInterceptor.
func (f *finalFailures) InterceptActivity(_ context.Context, next interceptor.ActivityInboundInterceptor) interceptor.ActivityInboundInterceptor {
	a := &finalActivity{log: f.log}
	a.Next = next
	return a
}

type finalActivity struct {
	interceptor.ActivityInboundInterceptorBase
	log *slog.Logger
}

// ExecuteActivity implements interceptor.ActivityInboundInterceptor.
func (a *finalActivity) ExecuteActivity(ctx context.Context, in *interceptor.ExecuteActivityInput) (any, error) {
	out, err := a.Next.ExecuteActivity(ctx, in)
	if err == nil || ctx.Err() != nil {
		return out, err
	}
	info := sdk.GetInfo(ctx)
	if !gaveUp(err, info.Attempt, info.RetryPolicy) {
		return out, err
	}
	level := slog.LevelWarn
	switch CodeOf(err) {
	case footy.CodeRejected, footy.CodeGeoBlocked, footy.CodeNotFound: // an answer, which the goal's page tells
		level = slog.LevelDebug
	}
	a.log.Log(ctx, level, info.ActivityType.Name+" gave up: "+Words(err), "action", info.ActivityType.Name,
		"workflow_id", info.WorkflowExecution.ID, "attempt", int(info.Attempt))
	return out, err
}

// gaveUp reports whether a failed try was the last.
func gaveUp(err error, attempt int32, policy *temporal.RetryPolicy) bool {
	var app *temporal.ApplicationError
	if errors.As(err, &app) && app.NonRetryable() {
		return true
	}
	return policy != nil && policy.MaximumAttempts > 0 && attempt >= policy.MaximumAttempts
}
