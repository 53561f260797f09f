package reels_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"github.com/found-footy/found-footy/internal/decide/clip/reel"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/pipeline/reels"
)

// asked is an engine that only notes what is started.
type asked struct {
	client.Client
	running bool
	ended   bool // since it was described
	started []string
}

func (a *asked) SignalWorkflow(_ context.Context, id, _, signal string, _ any) error {
	if a.ended {
		return serviceerror.NewNotFound("workflow execution already completed")
	}
	a.started = append(a.started, signal+" "+id)
	return nil
}

func (a *asked) DescribeWorkflowExecution(context.Context, string, string) (*workflowservice.DescribeWorkflowExecutionResponse, error) {
	if !a.running {
		return nil, serviceerror.NewNotFound("no such workflow")
	}
	info := &workflow.WorkflowExecutionInfo{Status: enums.WORKFLOW_EXECUTION_STATUS_RUNNING}
	return &workflowservice.DescribeWorkflowExecutionResponse{WorkflowExecutionInfo: info}, nil
}

func (a *asked) CountWorkflow(context.Context, *workflowservice.CountWorkflowExecutionsRequest) (*workflowservice.CountWorkflowExecutionsResponse, error) {
	return &workflowservice.CountWorkflowExecutionsResponse{}, nil
}

func (a *asked) ExecuteWorkflow(_ context.Context, o client.StartWorkflowOptions, _ any, _ ...any) (client.WorkflowRun, error) {
	a.started = append(a.started, o.ID)
	return nil, nil //nolint:nilnil // nobody looks at it
}

// full holds two objects of so many bytes.
type full struct {
	blob.Store
	each int64
	err  error
}

func (f full) List(_ context.Context, _ string, fn func(blob.Attributes) error) error {
	return errors.Join(fn(blob.Attributes{Size: f.each}), fn(blob.Attributes{Size: f.each}), f.err)
}

func TestAReelIsBegunWhereThereIsRoom(t *testing.T) {
	t.Parallel()
	low := footy.Errorf(footy.CodeUnavailable, "look at the disk", "3 MB are left")
	for name, c := range map[string]struct {
		running bool
		ended   bool
		disk    error
		stored  full
		code    footy.Code
		says    string
		started []string
	}{
		"there is":                        {stored: full{each: reel.Budget/2 - 1}, started: []string{"reel-match-7"}},
		"the disk is nearly full":         {disk: low, code: footy.CodeRateLimited, says: "3 MB are left"},
		"reels take all that they may":    {stored: full{each: reel.Budget / 2}, code: footy.CodeRateLimited, says: "reels and their pieces take 4096 MB"},
		"nobody knows":                    {stored: full{err: errors.New("the store is away")}, code: footy.CodeUnavailable, says: "the store is away"},
		"one that is being made needs no": {running: true, disk: low, started: []string{"asked reel-match-7"}},
		"it was being made a moment ago":  {running: true, ended: true, stored: full{each: 1}, started: []string{"reel-match-7"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			to := &asked{running: c.running, ended: c.ended}
			e := reels.Engine{Client: to, Blob: c.stored, Disk: func() error { return c.disk }}
			for _, start := range []func(context.Context) error{
				func(ctx context.Context) error { return e.Start(ctx, reel.Scope{Kind: reel.OfMatch, ID: 7}, 0) },
				func(ctx context.Context) error { return e.Anew(ctx, reel.Scope{Kind: reel.OfMatch, ID: 7}, 0) },
			} {
				to.started = nil
				err := start(t.Context())
				require.Equal(t, c.code, footy.CodeOf(err))
				if c.says != "" {
					require.ErrorContains(t, err, c.says)
				}
				require.Equal(t, c.started, to.started)
			}
		})
	}
}
