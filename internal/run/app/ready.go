package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/engine"
	"github.com/found-footy/found-footy/internal/run/state"
	"github.com/found-footy/found-footy/internal/run/telemetry"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/interceptor"
	"golang.org/x/sync/errgroup"
)

// awaitDatabase waits for the database of a fleet; METRICS_ADDR says so meanwhile, and that the process lives: to start it anew helps nothing.
// A MongoDB is not waited for: its driver does not tell one that is late from one that refuses the password.
func awaitDatabase(ctx context.Context, c config.Config, log *slog.Logger, m *telemetry.Metrics) error {
	if c.Engine.Address == "" || c.State.Postgres == "" {
		return nil
	}
	figures, err := metricsListener(ctx, c)
	if err != nil {
		return err
	}
	g, ctx := errgroup.WithContext(ctx)
	waiting, come := context.WithCancel(ctx)
	if figures != nil {
		g.Go(func() error {
			return Serve(waiting, figures, metricsOnly(m, func(context.Context) error { return errors.New("waits for the database") }), nil)
		})
	}
	g.Go(func() error {
		defer come()
		return state.Await(ctx, c, telemetry.Module(log, "app"))
	})
	return g.Wait()
}

// readiness tells whether this process does its work, in words that anybody may read; details are in the log and on the health page.
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
	waits func() bool // whether others have all slots; nil: never
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
	return c.Next.ExecuteActivity(ctx, in)
}
