package ingest

import (
	"context"
	"time"

	"go.temporal.io/sdk/client"

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

// Run starts an ingest and waits so long for what comes of it. Where no worker takes it up it goes on without us.
func Run(ctx context.Context, c client.Client, in Input, patience time.Duration) (Output, error) {
	run, err := StartNow(ctx, c, in)
	if err != nil {
		return Output{}, err
	}
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var out Output
	err = run.Get(waiting, &out)
	if gaveUp := waiting.Err(); gaveUp != nil {
		return out, gaveUp
	}
	if err != nil {
		return out, footy.Errorf(fault.CodeOf(err), "ingest", "%s", fault.Words(err))
	}
	return out, nil
}
