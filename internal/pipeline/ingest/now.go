package ingest

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/fault"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
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
	run, err := c.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID: WorkflowID(in, time.Now()), TaskQueue: policy.QueueMain, WorkflowRunTimeout: policy.RunTimeout(policy.IngestWorkflow),
		WorkflowIDConflictPolicy: enums.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
	}, policy.IngestWorkflow, in)
	return run, footy.Wrap(footy.CodeUnavailable, "start ingest", err)
}

// Run starts an ingest and waits for what comes of it. Where no worker takes it up before ctx ends it goes on without us.
func Run(ctx context.Context, c client.Client, in Input) (Output, error) {
	var out Output
	run, err := StartNow(ctx, c, in)
	if err != nil {
		return out, err
	}
	err = run.Get(ctx, &out)
	switch {
	case ctx.Err() != nil:
		return out, ctx.Err()
	case err != nil:
		return out, footy.Errorf(fault.CodeOf(err), "ingest", "%s", fault.Words(err))
	}
	return out, nil
}
