package app

import (
	"context"

	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/prometheus/client_golang/prometheus"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/taskqueue/v1"
	"go.temporal.io/api/workflowservice/v1"
)

// queues asks Temporal what waits in each of our task queues, and returns how many tasks that are; -1 if it cannot say.
func (h *health) queues(ctx context.Context) int64 {
	total := int64(0)
	for _, q := range policy.Queues() {
		n, age := int64(0), float64(0)
		for _, kind := range []enums.TaskQueueType{enums.TASK_QUEUE_TYPE_WORKFLOW, enums.TASK_QUEUE_TYPE_ACTIVITY} {
			res, err := h.temporal.WorkflowService().DescribeTaskQueue(ctx, &workflowservice.DescribeTaskQueueRequest{
				Namespace: h.app.Config.Engine.Namespace, TaskQueue: &taskqueue.TaskQueue{Name: q}, TaskQueueType: kind, ReportStats: true,
			})
			if err != nil || res.GetStats() == nil { // an engine too old to count
				return -1
			}
			n += res.GetStats().GetApproximateBacklogCount()
			age = max(age, res.GetStats().GetApproximateBacklogAge().AsDuration().Seconds())
		}
		if h.app.Metrics != nil {
			depth, oldest := h.app.depths()
			depth.WithLabelValues(q).Set(float64(n))
			oldest.WithLabelValues(q).Set(age)
		}
		total += n
	}
	return total
}

// depths are the figures of the queues.
func (a *App) depths() (depth, oldest *prometheus.GaugeVec) {
	return a.Metrics.Gauge("queue_depth", "Tasks that wait in a queue of the workflow engine.", "queue"),
		a.Metrics.Gauge("queue_age_seconds", "Age of the oldest task that waits in a queue.", "queue")
}
