package app

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/run/engine"
	"github.com/prometheus/client_golang/prometheus"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/interceptor"
)

// readiness reports whether this process does its work, in words for the public; details are in the log and on the health page.
func (a *App) readiness(r Roles, c client.Client) func(context.Context) error {
	return func(ctx context.Context) error {
		if a.Store.Ping(ctx) != nil {
			return errors.New("database unavailable")
		}
		if !r.Worker {
			return nil
		}
		w := a.worker.Load()
		switch {
		case w == nil && c != nil && a.sharesEngine() && engine.Answers(ctx, c, a.Config.Engine) != nil:
			return errors.New("waits for the workflow engine")
		case w == nil:
			return errors.New("starts")
		}
		return w.ready(ctx, c, a.Config.Engine.Namespace)
	}
}

// ready asks the engine whether it sees this process ask for tasks of each of its queues. One whose slots are all taken does not ask.
func (w *Worker) ready(ctx context.Context, c client.Client, namespace string) error {
	for q, n := range w.queues {
		busy := n.Load() > 0 || n.waits != nil && n.waits()
		now, err := pipeline.Ask(ctx, c, namespace, q, pipeline.ActivityTasks)
		if err != nil {
			return errors.New("workflow engine unavailable")
		}
		if !busy && !now.PolledBy(engine.Identity(), time.Now()) {
			return fmt.Errorf("the workflow engine does not see this worker ask for tasks of %s", q)
		}
	}
	return nil
}

// running counts the activities of one queue that run now.
type running struct {
	interceptor.WorkerInterceptorBase
	atomic.Int64
	waits  func() bool // whether others have all slots; nil: never
	failed *prometheus.CounterVec
}

// InterceptActivity implements interceptor.WorkerInterceptor.
func (r *running) InterceptActivity(_ context.Context, next interceptor.ActivityInboundInterceptor) interceptor.ActivityInboundInterceptor {
	return &counted{interceptor.ActivityInboundInterceptorBase{Next: next}, r}
}

type counted struct {
	interceptor.ActivityInboundInterceptorBase
	running *running
}

// ExecuteActivity implements interceptor.ActivityInboundInterceptor.
func (c *counted) ExecuteActivity(ctx context.Context, in *interceptor.ExecuteActivityInput) (any, error) {
	c.running.Add(1)
	defer c.running.Add(-1)
	out, err := c.Next.ExecuteActivity(ctx, in)
	if err != nil && ctx.Err() == nil {
		c.running.failed.WithLabelValues(activity.GetInfo(ctx).ActivityType.Name).Inc()
	}
	return out, err
}
