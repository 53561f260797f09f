package app

import (
	"context"
	"errors"
	"log/slog"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/fault"
	"github.com/found-footy/found-footy/internal/telemetry"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/temporal"
)

// final logs an activity that gave up for good; the tries before are for debugging.
type final struct {
	interceptor.WorkerInterceptorBase
	log *slog.Logger
}

func finals(log *slog.Logger) interceptor.WorkerInterceptor {
	return &final{log: telemetry.Module(log, "activity")}
}

// InterceptActivity implements interceptor.WorkerInterceptor.
func (f *final) InterceptActivity(_ context.Context, next interceptor.ActivityInboundInterceptor) interceptor.ActivityInboundInterceptor {
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
	info := activity.GetInfo(ctx)
	if !gaveUp(err, info.Attempt, info.RetryPolicy) {
		return out, err
	}
	level := slog.LevelWarn
	switch fault.CodeOf(err) {
	case footy.CodeRejected, footy.CodeGeoBlocked, footy.CodeNotFound: // an answer, which the goal's page tells
		level = slog.LevelDebug
	}
	a.log.Log(ctx, level, info.ActivityType.Name+" gave up: "+fault.Words(err), "action", info.ActivityType.Name,
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
