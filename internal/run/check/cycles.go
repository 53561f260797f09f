package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"github.com/found-footy/found-footy/internal/pipeline/policy/fault"
)

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
		var none *serviceerror.NotFound
		if err != nil && !errors.As(err, &none) {
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
	var cause *temporal.WorkflowExecutionError
	if errors.As(err, &cause) {
		return last, fmt.Sprintf("the last %d monitor cycles failed: %s", len(failed), fault.Words(err)), nil
	}
	return last, "", err
}
