package check

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"github.com/found-footy/found-footy/internal/pipeline/policy/fault"
)

// failuresShown in a row are no hiccup: the next cycle comes in half a minute.
const failuresShown = 2

// failing says why the newest of these cycles failed, where it did and the one that ended before it, too; "" otherwise.
func (c *Checker) failing(ctx context.Context, began []client.ScheduleActionResult) (string, error) {
	failed, newest := 0, ""
	for _, b := range slices.Backward(began) {
		if b.StartWorkflowResult == nil {
			continue // it began nothing
		}
		id := b.StartWorkflowResult.WorkflowID
		d, err := c.opt.Temporal.DescribeWorkflowExecution(ctx, id, "")
		var none *serviceerror.NotFound
		if err != nil && !errors.As(err, &none) {
			return "", err
		}
		switch status := d.GetWorkflowExecutionInfo().GetStatus(); {
		case err != nil, status == enums.WORKFLOW_EXECUTION_STATUS_RUNNING:
			continue
		case status != enums.WORKFLOW_EXECUTION_STATUS_FAILED && failed < failuresShown:
			return "", nil
		case status == enums.WORKFLOW_EXECUTION_STATUS_FAILED:
			failed++
			if newest == "" {
				newest = id
			}
			continue
		}
		break
	}
	if failed < failuresShown {
		return "", nil
	}
	err := c.opt.Temporal.GetWorkflow(ctx, newest, "").Get(ctx, nil)
	var why *temporal.WorkflowExecutionError
	if err != nil && !errors.As(err, &why) {
		return "", err
	}
	if err == nil {
		return "", nil
	}
	return fmt.Sprintf("the last %d monitor cycles failed: %s", failed, fault.Words(err)), nil
}
