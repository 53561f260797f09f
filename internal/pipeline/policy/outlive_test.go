package policy_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/upload"
)

// closes notes what becomes of a child when its parent ends.
type closes struct {
	interceptor.WorkerInterceptorBase
	policy enums.ParentClosePolicy
}

func (c *closes) InterceptWorkflow(_ workflow.Context, next interceptor.WorkflowInboundInterceptor) interceptor.WorkflowInboundInterceptor {
	return &inbound{interceptor.WorkflowInboundInterceptorBase{Next: next}, c}
}

type inbound struct {
	interceptor.WorkflowInboundInterceptorBase
	of *closes
}

func (i *inbound) Init(out interceptor.WorkflowOutboundInterceptor) error {
	return i.Next.Init(&outbound{interceptor.WorkflowOutboundInterceptorBase{Next: out}, i.of})
}

type outbound struct {
	interceptor.WorkflowOutboundInterceptorBase
	of *closes
}

func (o *outbound) ExecuteChildWorkflow(ctx workflow.Context, name string, args ...any) workflow.ChildWorkflowFuture {
	o.of.policy = workflow.GetChildWorkflowOptions(ctx).ParentClosePolicy
	return o.Next.ExecuteChildWorkflow(ctx, name, args...)
}

func TestChildrenOutliveTheirParents(t *testing.T) {
	t.Parallel()
	seen := &closes{}
	env := new(testsuite.WorkflowTestSuite).NewTestWorkflowEnvironment()
	env.SetWorkerOptions(worker.Options{Interceptors: []interceptor.WorkerInterceptor{seen}})
	env.RegisterWorkflowWithOptions(func(workflow.Context, upload.Input) error { return nil }, workflow.RegisterOptions{Name: "UploadWorkflow"})
	env.ExecuteWorkflow(func(ctx workflow.Context) error {
		return upload.Workflow.Leave(ctx, policy.Child{ID: "upload-1"}, upload.Input{})
	})
	require.NoError(t, env.GetWorkflowError())
	require.Equal(t, enums.PARENT_CLOSE_POLICY_ABANDON, seen.policy)
}
