package pipeline

import (
	"context"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/taskqueue/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
)

// The kinds of tasks in a queue.
const (
	WorkflowTasks = enums.TASK_QUEUE_TYPE_WORKFLOW
	ActivityTasks = enums.TASK_QUEUE_TYPE_ACTIVITY
)

// Queue is what the engine tells of one kind of tasks in a queue.
type Queue struct {
	Waiting int
	Oldest  time.Duration        // how long the oldest of them has waited
	Counted bool                 // an engine may be too old to count
	Pollers map[string]time.Time // who asked for tasks within the last minutes, and when last
}

// polledWithin is how long ago a worker that is well last asked for tasks: it does so again after a minute without any.
const polledWithin = 3 * time.Minute

// PolledBy reports whether a worker asks for these tasks.
func (q Queue) PolledBy(worker string, now time.Time) bool {
	return now.Sub(q.Pollers[worker]) < polledWithin
}

// Abandoned reports whether tasks wait that nobody takes.
func (q Queue) Abandoned() bool { return q.Waiting > 0 && len(q.Pollers) == 0 }

// Ask asks the engine about a queue.
func Ask(ctx context.Context, c client.Client, namespace, queue string, kind enums.TaskQueueType) (Queue, error) {
	res, err := c.WorkflowService().DescribeTaskQueue(ctx, &workflowservice.DescribeTaskQueueRequest{Namespace: namespace,
		TaskQueue: &taskqueue.TaskQueue{Name: queue}, TaskQueueType: kind, ReportStats: true})
	if err != nil {
		return Queue{}, footy.Wrap(footy.CodeUnavailable, "ask what waits in "+queue, err)
	}
	s := res.GetStats()
	q := Queue{Waiting: int(s.GetApproximateBacklogCount()), Oldest: s.GetApproximateBacklogAge().AsDuration(), Counted: s != nil, Pollers: map[string]time.Time{}}
	for _, p := range res.GetPollers() {
		if at := p.GetLastAccessTime().AsTime(); at.After(q.Pollers[p.GetIdentity()]) {
			q.Pollers[p.GetIdentity()] = at
		}
	}
	return q, nil
}

// Polled reports whether anybody asked for tasks of the search queue lately.
func Polled(c client.Client, namespace string) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) {
		q, err := Ask(ctx, c, namespace, policy.QueueSearch, ActivityTasks)
		return len(q.Pollers) > 0, err
	}
}
