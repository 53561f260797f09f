package pipeline

import (
	"context"
	"errors"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/canary"
)

// Schedules are the clocks of the product.
type Schedules struct {
	Monitor time.Duration // scaled; Temporal takes no less than a second
	Timing  policy.Timing // scaled
	Ingest  ingest.Input
	Canary  time.Duration // scaled
	Look    canary.Input  // scaled

	OwnClock bool // the engine's clock is ours
}

// Ensure creates the schedules or brings them up to date with the settings, whatever was changed in Temporal meanwhile. It says of each
// that was there and had to be made anew why.
func (s Schedules) Ensure(ctx context.Context, c client.Client, now time.Time) (made []string, err error) {
	return s.each(func(o schedule) (string, error) {
		why, err := keep(ctx, c, o, s.OwnClock, now)
		if err == nil && why == "" {
			err = update(ctx, c, o)
		}
		if why == wasMissing { // as before the first start
			why = ""
		}
		return why, err
	})
}

// Keep makes what is missing of the schedules, as after an engine lost its database, and makes anew what waits because a clock was ahead.
// It moves the monitor's interval where that is another, leaves all else as it is, and says of each that it made why.
func (s Schedules) Keep(ctx context.Context, c client.Client, now time.Time) (made []string, err error) {
	return s.each(func(o schedule) (string, error) { return keep(ctx, c, o, s.OwnClock, now) })
}

func (s Schedules) each(do func(schedule) (why string, err error)) (made []string, err error) {
	for _, o := range s.all() {
		why, err := do(o)
		if err != nil {
			return made, err
		}
		if why != "" {
			made = append(made, o.ID+" "+why)
		}
	}
	return made, nil
}

// schedule is one of them, and how long it waits at most.
type schedule struct {
	client.ScheduleOptions
	every time.Duration
	moves bool // its interval follows what is on
}

func (s Schedules) all() []schedule {
	every, look := max(s.Monitor, time.Second), max(s.Canary, time.Second)
	return []schedule{
		{client.ScheduleOptions{
			ID:            policy.ScheduleMonitor,
			Spec:          client.ScheduleSpec{Intervals: []client.ScheduleIntervalSpec{{Every: every}}},
			Action:        monitor.Workflow.Scheduled(policy.MonitorID, "one cycle over all open fixtures", monitor.Input{Timing: s.Timing}),
			Overlap:       enums.SCHEDULE_OVERLAP_POLICY_SKIP,
			CatchupWindow: time.Minute,
		}, every, true},
		{client.ScheduleOptions{
			ID:            policy.ScheduleCanary,
			Spec:          client.ScheduleSpec{Intervals: []client.ScheduleIntervalSpec{{Every: look}}},
			Action:        canary.Workflow.Scheduled(policy.CanaryID, "does X still look as expected?", s.Look),
			Overlap:       enums.SCHEDULE_OVERLAP_POLICY_SKIP,
			CatchupWindow: time.Hour,
		}, look, false},
		{client.ScheduleOptions{
			ID:            policy.ScheduleIngest,
			Spec:          client.ScheduleSpec{CronExpressions: []string{"5 0 * * *"}},
			Action:        ingest.Workflow.Scheduled(policy.IngestID, "the coming days' fixtures", s.Ingest),
			Overlap:       enums.SCHEDULE_OVERLAP_POLICY_SKIP,
			CatchupWindow: 24 * time.Hour,
		}, 24 * time.Hour, false},
	}
}

// By how much the engine's clock may differ from ours before a schedule is made anew for it: that of another machine, which nobody sets, is
// minutes off; our own may be set back by a little. After a clock that was ahead by less its schedule goes on by itself.
const (
	clocksDiffer = 10 * time.Minute
	clockSteps   = 2 * time.Minute
)

// Interval is how often a schedule acts; otherwise where it says no interval.
func Interval(d *client.ScheduleDescription, otherwise time.Duration) time.Duration {
	if spec := d.Schedule.Spec; spec != nil && len(spec.Intervals) == 1 {
		return spec.Intervals[0].Every
	}
	return otherwise
}

// Ahead is until when a schedule that acts after each such interval, or after that of its own, waits because a clock was ahead when it acted
// last; else zero.
func Ahead(d *client.ScheduleDescription, every time.Duration, ownClock bool, now time.Time) (until time.Time) {
	margin := clocksDiffer
	every = max(every, Interval(d, every))
	if ownClock {
		margin = clockSteps
	}
	if n := len(d.Info.RecentActions); n > 0 {
		until = d.Info.RecentActions[n-1].ActualTime.Add(every)
	}
	if next := d.Info.NextActionTimes; len(next) > 0 && next[0].After(until) {
		until = next[0]
	}
	if until.Sub(now) <= every+margin {
		return time.Time{}
	}
	return until
}

const wasMissing = "was missing"

// keep makes a schedule that is missing, and makes anew one that does not act. A pause of an engine that others use, too,
// is an operator's wish; of our own it is not, as its interface only shows.
func keep(ctx context.Context, c client.Client, o schedule, ownEngine bool, now time.Time) (why string, err error) {
	h := c.ScheduleClient().GetHandle(ctx, o.ID)
	d, err := h.Describe(ctx)
	switch _, none := errors.AsType[*serviceerror.NotFound](err); {
	case none:
		why = wasMissing
	case err != nil:
		return "", footy.Wrap(footy.CodeUnavailable, "describe schedule "+o.ID, err)
	case Paused(d) && !ownEngine:
		return "", nil
	default:
		until := Ahead(d, o.every, ownEngine, now)
		switch {
		case Paused(d):
			why = "was paused: " + d.Schedule.State.Note
		case !until.IsZero():
			why = "waited until " + until.UTC().Format(time.RFC3339) + ": the clock was ahead"
		case o.moves && Interval(d, 0) != o.every:
			return "", update(ctx, c, o)
		default:
			return "", nil
		}
		err := h.Delete(ctx) // with what it has buffered
		if _, none := errors.AsType[*serviceerror.NotFound](err); err != nil && !none {
			return "", footy.Wrap(footy.CodeUnavailable, "delete schedule "+o.ID, err)
		}
	}
	_, err = c.ScheduleClient().Create(ctx, o.ScheduleOptions)
	if errors.Is(err, temporal.ErrScheduleAlreadyRunning) {
		return "", nil // another worker was faster
	}
	return why, footy.Wrap(footy.CodeUnavailable, "create schedule "+o.ID, err)
}

// update gives a schedule that is there the present settings.
func update(ctx context.Context, c client.Client, o schedule) error {
	err := c.ScheduleClient().GetHandle(ctx, o.ID).Update(ctx, client.ScheduleUpdateOptions{
		DoUpdate: func(in client.ScheduleUpdateInput) (*client.ScheduleUpdate, error) {
			d := in.Description.Schedule
			if d.State.Paused { // Health says since when; it is made anew once it is unpaused
				return nil, temporal.ErrSkipScheduleUpdate
			}
			d.Spec, d.Action = &o.Spec, o.Action
			d.Policy.Overlap, d.Policy.CatchupWindow, d.State.LimitedActions = o.Overlap, o.CatchupWindow, false
			return &client.ScheduleUpdate{Schedule: &d}, nil
		},
	})
	return footy.Wrap(footy.CodeUnavailable, "update schedule "+o.ID, err)
}

// Paused reports whether a schedule begins nothing, since someone paused it or let it act a number of times only.
func Paused(d *client.ScheduleDescription) bool {
	s := d.Schedule.State
	return s != nil && (s.Paused || s.LimitedActions && s.RemainingActions == 0)
}

// Status answers how the latest run under an id is doing, for reconcile.
func Status(c client.Client) func(ctx context.Context, id string) (round.WorkflowStatus, error) {
	return func(ctx context.Context, id string) (round.WorkflowStatus, error) {
		d, err := c.DescribeWorkflowExecution(ctx, id, "")
		if _, none := errors.AsType[*serviceerror.NotFound](err); none {
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
}
