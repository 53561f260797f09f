package pipeline_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/workflow"

	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/search"
)

// TestWhatACycleStartsIsStartedAtOnce: with sixty goals in one cycle the last search waited nine seconds for those before it to start.
// What is done ahead is asked for behind what everybody waits for. The test environment runs children side by side, so that only what was
// asked for has an order.
func TestWhatACycleStartsIsStartedAtOnce(t *testing.T) {
	t.Parallel()
	var order []string
	env := setup(t, &outbound{between: func(next interceptor.WorkflowOutboundInterceptor) interceptor.WorkflowOutboundInterceptor {
		out := &childOutbound{order: &order}
		out.Next = next
		return out
	}})
	on(env, monitor.PlanCycle, anything).Return(monitor.Plan{Calls: byIDs([]int64{1})}, nil)
	on(env, monitor.PollChunk, anything).Return(monitor.PollResult{Answered: 1, Changed: []int64{1}}, nil)
	on(env, monitor.Decide, anything).Return(monitor.Todo{
		Searches: []monitor.Search{{Input: search.Input{FixtureID: 1, EventUID: "1-1"}, WorkflowID: "a"}, {Input: search.Input{FixtureID: 1, EventUID: "1-2"}, WorkflowID: "b"}},
		Ahead:    []monitor.Ahead{{AheadInput: search.AheadInput{Input: search.Input{FixtureID: 1, EventUID: "1-3"}, Sighting: 2, Label: "Yamal"}, WorkflowID: "c"}},
	}, nil)
	env.OnWorkflow(search.Workflow.Name(), anything, anything).Return(search.Output{}, nil)
	ahead := search.AheadInput{Input: search.Input{FixtureID: 1, EventUID: "1-3", Timing: policy.Defaults()}, Sighting: 2, Label: "Yamal"}
	env.OnWorkflow(search.AheadWorkflow.Name(), anything, ahead).Return(nil)
	env.ExecuteWorkflow(monitor.Workflow.Name(), monitor.Input{Timing: policy.Defaults()})
	require.NoError(t, env.GetWorkflowError())
	require.Equal(t, []string{"start a", "start b", "start c", "wait for a", "wait for b", "wait for c"}, order)
}

// childOutbound notes when a workflow starts a child, and when it waits for the start.
type childOutbound struct {
	interceptor.WorkflowOutboundInterceptorBase
	order *[]string
}

func (o *childOutbound) ExecuteChildWorkflow(ctx workflow.Context, kind string, args ...any) workflow.ChildWorkflowFuture {
	id := workflow.GetChildWorkflowOptions(ctx).WorkflowID
	*o.order = append(*o.order, "start "+id)
	return childFuture{o.Next.ExecuteChildWorkflow(ctx, kind, args...), func() { *o.order = append(*o.order, "wait for "+id) }}
}

type childFuture struct {
	workflow.ChildWorkflowFuture
	waits func()
}

func (f childFuture) GetChildWorkflowExecution() workflow.Future {
	f.waits()
	return f.ChildWorkflowFuture.GetChildWorkflowExecution()
}
