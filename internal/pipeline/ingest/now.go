package ingest

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
)

// StartNow starts an ingest unless one runs.
func StartNow(ctx context.Context, c client.Client, in Input) error {
	_, err := c.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID: "ingest-" + time.Now().UTC().Format("02_01_2006"), TaskQueue: policy.QueueMain, WorkflowRunTimeout: policy.RunTimeout(policy.IngestWorkflow),
		WorkflowIDConflictPolicy: enums.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
	}, policy.IngestWorkflow, in)
	return footy.Wrap(footy.CodeUnavailable, "start ingest", err)
}
