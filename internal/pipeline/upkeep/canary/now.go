package canary

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"go.temporal.io/sdk/client"
)

// RunNow runs the canary's workflow once, without its later looks, and waits for it.
func RunNow(ctx context.Context, c client.Client) (source.Canary, error) {
	ctx, cancel := context.WithTimeout(ctx, 4*time.Minute)
	defer cancel()
	run, err := Workflow.Start(ctx, c, client.StartWorkflowOptions{ID: policy.CanaryID + "-now", WorkflowExecutionTimeout: 5 * time.Minute,
		StaticSummary: "does X still look as expected? (asked for)"}, Input{Tries: 1})
	if err != nil {
		return source.Canary{}, err
	}
	var found source.Canary
	return found, run.Get(ctx, &found)
}
