package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/found-footy/found-footy/internal/config"
	"github.com/found-footy/found-footy/internal/engine"
	"github.com/found-footy/found-footy/internal/state"
	"github.com/found-footy/found-footy/internal/telemetry"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/taskqueue/v1"
	"go.temporal.io/api/workflowservice/v1"
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

// askedWithin is how long ago a worker that is well last asked for tasks: it does so again after a minute without any.
const askedWithin = 3 * time.Minute

// ready asks the engine whether it sees this process ask for tasks of each of its queues. One whose slots are all taken does not ask.
func (w *Worker) ready(ctx context.Context, c client.Client, namespace string) error {
	for q, n := range w.queues {
		busy := n.Load() > 0 || n.waits != nil && n.waits()
		res, err := c.WorkflowService().DescribeTaskQueue(ctx, &workflowservice.DescribeTaskQueueRequest{Namespace: namespace,
			TaskQueue: &taskqueue.TaskQueue{Name: q}, TaskQueueType: enums.TASK_QUEUE_TYPE_ACTIVITY})
		if err != nil {
			return errors.New("workflow engine unavailable")
		}
		if !busy && !asks(res.GetPollers(), engine.Identity(), time.Now()) {
			return fmt.Errorf("the workflow engine does not see this worker ask for tasks of %s", q)
		}
	}
	return nil
}

// asks reports whether one of those who ask for tasks is us, and lately.
func asks(pollers []*taskqueue.PollerInfo, us string, now time.Time) bool {
	for _, p := range pollers {
		if p.GetIdentity() == us && now.Sub(p.GetLastAccessTime().AsTime()) < askedWithin {
			return true
		}
	}
	return false
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
