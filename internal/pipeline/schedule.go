package pipeline

import (
	"context"
	"errors"
	"time"

	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/canary"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
)

// Schedules are the clocks of the product.
type Schedules struct {
	Monitor time.Duration // scaled; Temporal takes no less than a second
	Timing  policy.Timing // scaled
	Ingest  ingest.Input
	Canary  time.Duration // scaled
	Look    canary.Input  // scaled
}

// Ensure creates the schedules or brings them up to date with the settings.
func (s Schedules) Ensure(ctx context.Context, c client.Client) error {
	every := max(s.Monitor, time.Second)
	err := ensure(ctx, c, client.ScheduleOptions{
		ID:            policy.ScheduleMonitor,
		Spec:          client.ScheduleSpec{Intervals: []client.ScheduleIntervalSpec{{Every: every}}},
		Action:        monitor.Workflow.Scheduled(policy.MonitorID, "one cycle over all open fixtures", monitor.Input{Timing: s.Timing}),
		Overlap:       enums.SCHEDULE_OVERLAP_POLICY_SKIP,
		CatchupWindow: time.Minute,
	})
	if err != nil {
		return err
	}
	err = ensure(ctx, c, client.ScheduleOptions{
		ID:            policy.ScheduleCanary,
		Spec:          client.ScheduleSpec{Intervals: []client.ScheduleIntervalSpec{{Every: max(s.Canary, time.Second)}}},
		Action:        canary.Workflow.Scheduled(policy.CanaryID, "does X still look as expected?", s.Look),
		Overlap:       enums.SCHEDULE_OVERLAP_POLICY_SKIP,
		CatchupWindow: time.Hour,
	})
	if err != nil {
		return err
	}
	return ensure(ctx, c, client.ScheduleOptions{
		ID:            policy.ScheduleIngest,
		Spec:          client.ScheduleSpec{CronExpressions: []string{"5 0 * * *"}},
		Action:        ingest.Workflow.Scheduled(policy.IngestID, "the coming days' fixtures", s.Ingest),
		Overlap:       enums.SCHEDULE_OVERLAP_POLICY_SKIP,
		CatchupWindow: 24 * time.Hour,
	})
}

func ensure(ctx context.Context, c client.Client, o client.ScheduleOptions) error {
	_, err := c.ScheduleClient().Create(ctx, o)
	if err == nil {
		return nil
	}
	if !errors.Is(err, temporal.ErrScheduleAlreadyRunning) {
		return footy.Wrap(footy.CodeUnavailable, "create schedule "+o.ID, err)
	}
	err = c.ScheduleClient().GetHandle(ctx, o.ID).Update(ctx, client.ScheduleUpdateOptions{
		DoUpdate: func(in client.ScheduleUpdateInput) (*client.ScheduleUpdate, error) {
			d := in.Description.Schedule
			d.Spec, d.Action = &o.Spec, o.Action
			d.Policy.Overlap, d.Policy.CatchupWindow = o.Overlap, o.CatchupWindow
			return &client.ScheduleUpdate{Schedule: &d}, nil
		},
	})
	return footy.Wrap(footy.CodeUnavailable, "update schedule "+o.ID, err)
}

// Status answers how workflows are doing, for reconcile.
type Status struct{ Client client.Client }

// Status of the latest run under an id.
func (s Status) Status(ctx context.Context, id string) (round.WorkflowStatus, error) {
	d, err := s.Client.DescribeWorkflowExecution(ctx, id, "")
	var none *serviceerror.NotFound
	if errors.As(err, &none) {
		return round.Missing, nil
	}
	if err != nil {
		return "", footy.Wrap(footy.CodeUnavailable, "describe workflow "+id, err)
	}
	switch d.GetWorkflowExecutionInfo().GetStatus() {
	case enums.WORKFLOW_EXECUTION_STATUS_RUNNING, enums.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW:
		return round.Running, nil
	case enums.WORKFLOW_EXECUTION_STATUS_COMPLETED:
		return round.Done, nil
	}
	return round.Dead, nil
}
