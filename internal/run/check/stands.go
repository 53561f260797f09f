package check

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/policy/fault"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/engine"
	"github.com/found-footy/found-footy/internal/tell/health"
)

// schedule is nil where there is none.
func (c *Checker) schedule(ctx context.Context, id string) (*client.ScheduleDescription, error) {
	d, err := c.opt.Temporal.ScheduleClient().GetHandle(ctx, id).Describe(ctx)
	if _, none := errors.AsType[*serviceerror.NotFound](err); none {
		return nil, nil //nolint:nilnil // a worker makes it
	}
	return d, err
}

// stands reports whether the monitor's schedule begins no cycle, and writes why into p.
func (c *Checker) stands(d *client.ScheduleDescription, p *health.Part) bool {
	own := c.opt.Config.Engine.Address == ""
	switch {
	case d == nil:
		p.State, p.Reason = health.StateDegraded, "the monitor's schedule is not set up yet"
		if c.recall(p.Name).Reason == p.Reason { // still
			p.State = health.StateDown
		}
		p.Remedy = "If footy up or footy worker was just started, wait a few seconds: it sets up the schedule. Otherwise start one."
	case pipeline.Paused(d):
		p.State, p.Reason, p.Remedy = health.StateDown, "no match is polled: the monitor's "+paused(d), unpause(policy.ScheduleMonitor, own)
	default:
		until := pipeline.Ahead(d, c.opt.Config.Track.PollEvery(), own, time.Now())
		if until.IsZero() {
			return false
		}
		p.State, p.Reason = health.StateDown, "no match is polled before "+minute(until)+": the clock was ahead when the monitor ran last"
		begins := "Restart a Temporal of your own with a new database: it stands still until that time."
		if own {
			begins = c.beginsAnew()
		}
		p.Remedy = "A worker makes the schedule anew within five minutes; start one with footy worker or footy up. Look whether this machine's clock is right now. " + begins
	}
	return true
}

// beside writes into p what keeps no match from being polled.
func (c *Checker) beside(ctx context.Context, p *health.Part) {
	own := c.opt.Config.Engine.Address == ""
	for _, s := range []struct{ id, does string }{
		{policy.ScheduleIngest, "no coming match is listed: the daily list's "}, {policy.ScheduleCanary, "X's shape is not looked at: the canary's "},
	} {
		if d, err := c.schedule(ctx, s.id); err == nil && d != nil && pipeline.Paused(d) {
			p.State, p.Reason, p.Remedy = health.StateDegraded, s.does+paused(d), unpause(s.id, own)
			return
		}
	}
	if own {
		wasDamaged(c.opt.Config, p)
	}
}

// wasDamaged reminds of a database of our engine that was damaged: the disk may be failing.
func wasDamaged(c config.Config, p *health.Part) {
	if why, err := engine.LastFailure(engine.Dir(c)); err != nil || why != "" {
		return // which is the present state
	}
	if a := engine.Damaged(engine.Dir(c), time.Now()); a != nil {
		p.State, p.Reason = health.StateDegraded, "the engine's database was damaged and begun anew at "+minute(a.At)+"; nothing is lost"
		p.Remedy = "Look whether the disk is well. The damaged one is " + a.File + ": remove it, which ends this notice; it ends by itself after a day."
	}
}

func paused(d *client.ScheduleDescription) string {
	s := d.Schedule.State
	if !s.Paused {
		return "schedule may act no more: someone limited its actions"
	}
	why := "schedule is paused in Temporal"
	if at := d.Info.LastUpdateAt; !at.IsZero() {
		why += " since " + minute(at)
	}
	if s.Note != "" {
		why += " (" + s.Note + ")"
	}
	return why
}

func unpause(id string, own bool) string {
	if own {
		return "A worker undoes it within five minutes; start one with footy worker or footy up."
	}
	return "Unpause the schedule " + id + " in Temporal's UI, or with temporal schedule toggle --unpause --schedule-id " + id + "."
}

// connected looks at the engine of these settings by a connection of its own; an error is that it cannot be reached.
func (c *Checker) connected(ctx context.Context, at config.Engine, look func(*Checker) health.Part) (health.Part, error) {
	t, err := engine.Dial(ctx, at, slog.New(slog.DiscardHandler))
	if err != nil {
		return health.Part{}, err
	}
	defer t.Close()
	o := c.opt
	o.Temporal = t
	return look(New(o)), nil
}

// failuresShown in a row are no hiccup: the next cycle comes in half a minute.
const failuresShown = 2

// cycles says when the newest of these that decided ended, zero if none did, and why the newest failed where it did and the one that ended
// before it, too. That one began says nothing: without a worker the engine begins them as well.
func (c *Checker) cycles(ctx context.Context, began []client.ScheduleActionResult) (last time.Time, why string, err error) {
	var failed []string
	for _, b := range slices.Backward(began) {
		if b.StartWorkflowResult == nil {
			continue // it began nothing
		}
		id := b.StartWorkflowResult.WorkflowID
		d, err := c.opt.Temporal.DescribeWorkflowExecution(ctx, id, "")
		if _, none := errors.AsType[*serviceerror.NotFound](err); err != nil && !none {
			return last, "", err
		}
		switch run := d.GetWorkflowExecutionInfo(); run.GetStatus() {
		case enums.WORKFLOW_EXECUTION_STATUS_FAILED:
			failed = append(failed, id)
			continue
		case enums.WORKFLOW_EXECUTION_STATUS_COMPLETED:
			last = run.GetCloseTime().AsTime()
		default:
			continue
		}
		break
	}
	if len(failed) < failuresShown {
		return last, "", nil
	}
	err = c.opt.Temporal.GetWorkflow(ctx, failed[0], "").Get(ctx, nil)
	if _, ended := errors.AsType[*temporal.WorkflowExecutionError](err); ended {
		return last, fmt.Sprintf("the last %d monitor cycles failed: %s", len(failed), fault.Words(err)), nil
	}
	return last, "", err
}
