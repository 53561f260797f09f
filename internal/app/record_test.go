package app_test

import (
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/found-footy/found-footy/bench/rig"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/history/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/protobuf/encoding/protojson"
)

// perType is how many histories of each workflow type are kept: the longest ones, which took most turns.
const perType = 3

// record writes the longest histories of each workflow type to dir, for the replay tests of internal/pipeline.
func record(ctx context.Context, t *testing.T, c client.Client, dir string) {
	t.Helper()
	type run struct {
		id, run string
		length  int64
	}
	longest := map[string][]run{}
	var page []byte
	for {
		res, err := c.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{PageSize: 500, NextPageToken: page})
		if !shows(t, err == nil, "list workflows") {
			return
		}
		for _, e := range res.Executions {
			if e.Status != enums.WORKFLOW_EXECUTION_STATUS_COMPLETED {
				continue
			}
			name := e.Type.Name
			list := append(longest[name], run{e.Execution.WorkflowId, e.Execution.RunId, e.HistoryLength})
			for i := len(list) - 1; i > 0 && list[i].length > list[i-1].length; i-- {
				list[i], list[i-1] = list[i-1], list[i]
			}
			longest[name] = list[:min(len(list), perType)]
		}
		if page = res.NextPageToken; len(page) == 0 {
			break
		}
	}
	for name, runs := range longest {
		for i, r := range runs {
			save(ctx, t, c, r.id, r.run, filepath.Join(dir, name+"-"+string(rune('a'+i))+".json.gz"))
		}
	}
	recordGoal(ctx, t, c, filepath.Join(dir, "goal"))
}

// recordGoal keeps every workflow of the day's dearest goal, for the bench to tell what a whole goal costs.
func recordGoal(ctx context.Context, t *testing.T, c client.Client, dir string) {
	t.Helper()
	runs, err := rig.Runs(ctx, c)
	if !shows(t, err == nil && os.RemoveAll(dir) == nil && os.MkdirAll(dir, 0o755) == nil, "list workflows for "+dir) {
		return
	}
	_, of := rig.Dearest(runs)
	for i, r := range of {
		save(ctx, t, c, r.ID, r.RunID, filepath.Join(dir, fmt.Sprintf("%02d-%s.json.gz", i, r.Type)))
	}
}

func save(ctx context.Context, t *testing.T, c client.Client, id, run, path string) {
	t.Helper()
	h := &history.History{}
	it := c.GetWorkflowHistory(ctx, id, run, false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for it.HasNext() {
		e, err := it.Next()
		if !shows(t, err == nil, "read history of "+id) {
			return
		}
		h.Events = append(h.Events, e)
	}
	b, err := protojson.Marshal(h)
	shows(t, err == nil, "encode history of "+id)
	f, err := os.Create(path)
	if !shows(t, err == nil, "create "+path) {
		return
	}
	z := gzip.NewWriter(f)
	_, err = z.Write(b)
	shows(t, err == nil && z.Close() == nil && f.Close() == nil, "write "+path)
}
