package check

import (
	"context"

	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/taskqueue/v1"
	"go.temporal.io/api/workflowservice/v1"
)

// queues asks Temporal what waits in each of our task queues, and returns how many tasks that are; -1 if it cannot say.
func (c *Checker) queues(ctx context.Context) int64 {
	total := int64(0)
	for _, q := range policy.Queues() {
		n, age := int64(0), float64(0)
		for _, kind := range []enums.TaskQueueType{enums.TASK_QUEUE_TYPE_WORKFLOW, enums.TASK_QUEUE_TYPE_ACTIVITY} {
			res, err := c.opt.Temporal.WorkflowService().DescribeTaskQueue(ctx, &workflowservice.DescribeTaskQueueRequest{
				Namespace: c.opt.Config.Engine.Namespace, TaskQueue: &taskqueue.TaskQueue{Name: q}, TaskQueueType: kind, ReportStats: true,
			})
			if err != nil || res.GetStats() == nil { // an engine too old to count
				return -1
			}
			n += res.GetStats().GetApproximateBacklogCount()
			age = max(age, res.GetStats().GetApproximateBacklogAge().AsDuration().Seconds())
		}
		c.opt.SeenQueue(q, float64(n), age)
		total += n
	}
	return total
}
