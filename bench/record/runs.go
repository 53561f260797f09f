package record

import (
	"context"
	"regexp"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"github.com/found-footy/found-footy/internal/footy"
)

// Run is one closed or running execution of a workflow.
type Run struct {
	ID, RunID string
	Type      string
	Closed    bool
	Events    int64 // of its history
}

// Runs lists all that Temporal knows.
func Runs(ctx context.Context, c client.Client) ([]Run, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var out []Run
	var page []byte
	for {
		res, err := c.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{PageSize: 500, NextPageToken: page})
		if err != nil {
			return nil, footy.Wrap(footy.CodeUnavailable, "list workflows", err)
		}
		for _, e := range res.GetExecutions() {
			out = append(out, Run{ID: e.GetExecution().GetWorkflowId(), RunID: e.GetExecution().GetRunId(), Type: e.GetType().GetName(),
				Closed: e.GetStatus() != enums.WORKFLOW_EXECUTION_STATUS_RUNNING, Events: e.GetHistoryLength()})
		}
		if page = res.GetNextPageToken(); len(page) == 0 {
			return out, nil
		}
	}
}

// eventID is what every workflow of a goal carries in its own id.
var eventID = regexp.MustCompile(`\d+_\d+_\d+_[A-Za-z]+_\d+`)

// ByGoal groups runs by the event they worked for; those that worked for none are left out.
func ByGoal(runs []Run) map[string][]Run {
	out := map[string][]Run{}
	for _, r := range runs {
		if id := eventID.FindString(r.ID); id != "" {
			out[id] = append(out[id], r)
		}
	}
	return out
}

// Dearest is the goal whose workflows have the longest histories together, all of them closed.
func Dearest(runs []Run) (event string, of []Run) {
	most := int64(0)
	for id, rs := range ByGoal(runs) {
		sum, closed := int64(0), true
		for _, r := range rs {
			sum, closed = sum+r.Events, closed && r.Closed
		}
		if closed && (sum > most || sum == most && id < event) {
			event, of, most = id, rs, sum
		}
	}
	return event, of
}
