package record_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/common/v1"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/history/v1"
	"go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"github.com/found-footy/found-footy/bench/record"
)

// engine has one workflow, of a goal, whose history has so many events.
type engine struct {
	client.Client
	events int
}

func (e engine) ListWorkflow(context.Context, *workflowservice.ListWorkflowExecutionsRequest) (*workflowservice.ListWorkflowExecutionsResponse, error) {
	return &workflowservice.ListWorkflowExecutionsResponse{Executions: []*workflow.WorkflowExecutionInfo{{
		Execution: &common.WorkflowExecution{WorkflowId: "upload-1_40_7_Goal_1"}, Type: &common.WorkflowType{Name: "UploadWorkflow"},
		Status: enums.WORKFLOW_EXECUTION_STATUS_COMPLETED, HistoryLength: 1}}}, nil
}

func (e engine) GetWorkflowHistory(context.Context, string, string, bool, enums.HistoryEventFilterType) client.HistoryEventIterator {
	return &listing{left: e.events}
}

type listing struct{ left int }

func (l *listing) HasNext() bool { return l.left > 0 }

func (l *listing) Next() (*history.HistoryEvent, error) {
	l.left--
	return &history.HistoryEvent{EventId: int64(l.left)}, nil
}

// TestARecordedHistoryIsNeverWrittenOver: what a worker of a release once wrote cannot be had again.
func TestARecordedHistoryIsNeverWrittenOver(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	kept := func() map[string]string {
		out := map[string]string{}
		require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				b, err := os.ReadFile(path)
				require.NoError(t, err)
				out[d.Name()] = string(b)
			}
			return err
		}))
		return out
	}
	require.NoError(t, record.Record(t.Context(), engine{events: 1}, dir))
	first := kept()
	require.Len(t, first, 2, "of its type, and of its goal")
	require.ErrorIs(t, record.Record(t.Context(), engine{events: 9}, dir), fs.ErrExist)
	require.Equal(t, first, kept())
	require.NoError(t, os.Remove(filepath.Join(dir, "UploadWorkflow-a.json.gz")))
	require.ErrorIs(t, record.Record(t.Context(), engine{events: 9}, dir), fs.ErrExist, "nor are those of a goal")
	require.Equal(t, first["00-UploadWorkflow.json.gz"], kept()["00-UploadWorkflow.json.gz"])
}
