package ingest

import (
	"context"
	"reflect"
	"time"

	"go.temporal.io/sdk/client"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/policy/fault"
)

// WorkflowID of an ingest outside of the schedule. The lists of a day are fetched by one at a time; named fixtures never wait for
// it, nor does it stand for them.
func WorkflowID(in Input, now time.Time) string {
	now = now.UTC()
	if len(in.FixtureIDs) > 0 {
		return "ingest-named-" + now.Format("02_01_2006-150405.000")
	}
	return "ingest-" + now.Format("02_01_2006")
}

// StartNow starts an ingest, or joins the one that fetches the day's lists already.
func StartNow(ctx context.Context, c client.Client, in Input) (client.WorkflowRun, error) {
	run, err := Workflow.Start(ctx, c, client.StartWorkflowOptions{ID: WorkflowID(in, time.Now())}, in)
	return run, footy.Wrap(footy.CodeUnavailable, "start ingest", err)
}

// Run starts an ingest and waits for what comes of it, for so long after the last news; news (nil: nobody listens) gets what a running one
// has until now. Where no worker takes it up it goes on without us.
func Run(ctx context.Context, c client.Client, in Input, patience time.Duration, news func(Progress)) (Output, error) {
	run, err := StartNow(ctx, c, in)
	if err != nil {
		return Output{}, err
	}
	waiting, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go watch(waiting, c, run, patience, news, cancel)
	var out Output
	err = run.Get(waiting, &out)
	if gaveUp := context.Cause(waiting); gaveUp != nil {
		return out, gaveUp
	}
	if err != nil {
		return out, footy.Errorf(fault.CodeOf(err), "ingest", "%s", fault.Words(err))
	}
	return out, nil
}

// askEvery is how often a running ingest is asked what came of it.
const askEvery = time.Second

// watch passes on what a running ingest has until now, and gives up where it has nothing new for too long.
func watch(ctx context.Context, c client.Client, run client.WorkflowRun, patience time.Duration, news func(Progress), giveUp context.CancelCauseFunc) {
	until, known := time.Now().Add(patience), Progress{}
	for network.Pause(ctx, askEvery) == nil {
		if is, ok := progress(ctx, c, run); ok && !reflect.DeepEqual(is, known) {
			known, until = is, time.Now().Add(patience)
			if is.Until.After(time.Now()) {
				until = is.Until.Add(patience)
			}
			if news != nil {
				news(is)
			}
		}
		if time.Now().After(until) {
			giveUp(context.DeadlineExceeded)
			return
		}
	}
}

// progress asks a worker; one that does not answer is asked again.
func progress(ctx context.Context, c client.Client, run client.WorkflowRun) (is Progress, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, 5*askEvery)
	defer cancel()
	v, err := c.QueryWorkflow(ctx, run.GetID(), run.GetRunID(), queryProgress)
	return is, err == nil && v.Get(&is) == nil
}
