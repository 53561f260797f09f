package policy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// Activity is one unit of work: its name in Temporal, what it takes and gives, and how it is run. It is defined beside the function
// that does it; workflows call it by Do, a worker registers that function by By. Names are those of the founding documents (what the
// product was built from): operators know them.
type Activity[In, Out any] struct {
	name string
	row  Row
}

// Row says how an activity is run, and why so.
type Row struct {
	Queue     string
	Local     bool          // run by the worker that has its workflow, with nothing else in between: for a moment's work with our own store
	Timeout   time.Duration // start to close of one try
	Heartbeat time.Duration // 0: none
	Tries     int32         // 0: as many as it takes. So is what only our own store and bucket can fail: a try costs nothing while they are away
	Pause     time.Duration // before the second try; doubles. 0: a second
	Budget    time.Duration // all tries together; 0: as the tries allow
	Priority  int           // 1 goes first, 5 last; 0: the engine's own
	Goal      string        // of one priority, goals take turns
	Why       string        // the reason of the numbers
}

// Nothing stands for no input or no result.
type Nothing = struct{}

// Define makes an activity.
func Define[In, Out any](name string, row Row) Activity[In, Out] {
	return Activity[In, Out]{name, row}
}

// Name is the activity's name in Temporal.
func (a Activity[In, Out]) Name() string { return a.name }

// Row says how it is run.
func (a Activity[In, Out]) Row() Row { return a.row }

// At is the activity with another priority.
func (a Activity[In, Out]) At(priority int) Activity[In, Out] {
	a.row.Priority = priority
	return a
}

// For is the activity for one of the goals that take turns.
func (a Activity[In, Out]) For(goal string) Activity[In, Out] {
	a.row.Goal = goal
	return a
}

// Once is the activity without a second try.
func (a Activity[In, Out]) Once() Activity[In, Out] {
	a.row.Tries = 1
	return a
}

// Do runs the activity. summary is what the Temporal UI shows on the row.
func (a Activity[In, Out]) Do(ctx workflow.Context, in In, summary string) (Out, error) {
	return a.Start(ctx, in, summary).Get(ctx)
}

// Run is Do of an activity whose result nobody needs.
func (a Activity[In, Out]) Run(ctx workflow.Context, in In, summary string) error {
	_, err := a.Do(ctx, in, summary)
	return err
}

// Start begins the activity and returns its future.
func (a Activity[In, Out]) Start(ctx workflow.Context, in In, summary string) Future[Out] {
	args := []any{in}
	if _, none := any(in).(Nothing); none {
		args = nil
	}
	o := a.row.Options(summary)
	if a.row.Local {
		local := workflow.LocalActivityOptions{StartToCloseTimeout: o.StartToCloseTimeout, ScheduleToCloseTimeout: cmp.Or(o.ScheduleToCloseTimeout, unlimited), Summary: summary, RetryPolicy: o.RetryPolicy}
		return Future[Out]{workflow.ExecuteLocalActivity(workflow.WithLocalActivityOptions(ctx, local), a.name, args...)}
	}
	return Future[Out]{workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, o), a.name, args...)}
}

// unlimited is the Budget of a local activity without one: the engine's library asks for some.
const unlimited = 10 * 365 * 24 * time.Hour

// Future is the result of an activity that was begun.
type Future[Out any] struct{ workflow.Future }

// Get waits for the result.
func (f Future[Out]) Get(ctx workflow.Context) (out Out, err error) {
	err = f.Future.Get(ctx, &out)
	return out, err
}

// By says which function does the activity.
func (a Activity[In, Out]) By(do func(context.Context, In) (Out, error)) Registration {
	return Registration{Name: a.name, Row: a.row, do: do}
}

// ByAlone is By of an activity that takes nothing.
func ByAlone[Out any](a Activity[Nothing, Out], do func(context.Context) (Out, error)) Registration {
	return Registration{Name: a.name, Row: a.row, do: do}
}

// ByQuiet is By of an activity that gives nothing.
func ByQuiet[In any](a Activity[In, Nothing], do func(context.Context, In) error) Registration {
	return Registration{Name: a.name, Row: a.row, do: do}
}

// Registration is an activity with the function that does it.
type Registration struct {
	Name string
	Row  Row
	do   any
}

// Register puts it on a worker.
func (r Registration) Register(on worker.ActivityRegistry) {
	on.RegisterActivityWithOptions(r.do, activity.RegisterOptions{Name: r.Name})
}

// untakenAfter is how long a task lies in the search queue before its workflow looks why nobody takes it: long enough for a busy
// minute, short enough that people are told. Accounts without a login or budget take none. No other queue gives its tasks back.
const untakenAfter = 2 * time.Minute

// Untaken reports whether err says that nobody took a task from the search queue.
func Untaken(err error) bool {
	t, ok := errors.AsType[*temporal.TimeoutError](err)
	return ok && t.TimeoutType() == enums.TIMEOUT_TYPE_SCHEDULE_TO_START
}

// Options are the row as the engine takes it.
func (r Row) Options(summary string) workflow.ActivityOptions {
	var untaken time.Duration
	if r.Queue == QueueSearch {
		untaken = untakenAfter
	}
	pause := cmp.Or(r.Pause, time.Second)
	return workflow.ActivityOptions{
		Priority:               temporal.Priority{PriorityKey: r.Priority, FairnessKey: r.Goal},
		ScheduleToStartTimeout: untaken,
		TaskQueue:              r.Queue,
		StartToCloseTimeout:    r.Timeout,
		HeartbeatTimeout:       r.Heartbeat,
		// A vendor that asks for a minute's patience must not hold up the cycle: the next one comes anyway.
		ScheduleToCloseTimeout: r.Budget,
		Summary:                summary,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    pause,
			BackoffCoefficient: 2,
			MaximumInterval:    max(15*time.Second, pause), // an outage of ours is over soon after it is over
			MaximumAttempts:    r.Tries,
		},
	}
}

// Counted says in a summary how many things a row is about: "1 match", "3 matches".
func Counted(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprintf("%d %s", n, many)
}
