package pipeline_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/taskqueue/v1"
	apiworkflow "go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/tools/devtest"
)

// TestTheFirstClipOfEachGoalGoesBeforeTheSecondOfAny asks a real engine: posts of six goals wait for one slot. The first post of goal 0 cannot be
// had, and that of goal 1 shows another goal. Their second posts go before those of goals that have a clip.
func TestTheFirstClipOfEachGoalGoesBeforeTheSecondOfAny(t *testing.T) {
	t.Parallel()
	const goals = 6
	at := devtest.Start(t, "temporal", "--db", filepath.Join(t.TempDir(), "engine.db"), "--ui-port", "-1")
	c, err := client.DialContext(t.Context(), client.Options{HostPort: at.Address, Logger: discard{}})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	promoted := func(id string) bool {
		d, err := c.DescribeWorkflowExecution(t.Context(), id, "")
		return err == nil && slices.ContainsFunc(d.GetPendingActivities(), func(a *apiworkflow.PendingActivityInfo) bool {
			return a.GetActivityType().GetName() == download.DownloadVideo.Name() && a.GetPriority().GetPriorityKey() == 2
		})
	}
	waits := func() int64 { // before others
		d, err := c.WorkflowService().DescribeTaskQueue(t.Context(), &workflowservice.DescribeTaskQueueRequest{Namespace: "default",
			TaskQueue: &taskqueue.TaskQueue{Name: policy.QueueMedia}, TaskQueueType: pipeline.ActivityTasks, ReportStats: true})
		if err != nil {
			return 0
		}
		return d.GetStatsByPriorityKey()[2].GetApproximateBacklogCount()
	}

	b := newBench(t)
	b.down.Temporal = c
	last := fmt.Sprint(goals-1, "a")
	b.x.set(func(p footy.Candidate) error {
		for p.PostID == last && (!promoted("download-0") || !promoted("download-1") || waits() < 2) {
			// until both are known to come to nothing
			select {
			case <-t.Context().Done():
				return t.Context().Err()
			case <-time.After(20 * time.Millisecond):
			}
		}
		if p.PostID == "0a" {
			return footy.Reject("fetch post", footy.ReasonNoVideo, "%s", "a picture")
		}
		return nil
	}, nil)
	b.model.clock["1a"] = "30:1"
	work := func(queue string, slots int) {
		w := worker.New(c, queue, worker.Options{MaxConcurrentActivityExecutionSize: slots, DisableWorkflowWorker: queue != policy.QueueMain})
		if queue == policy.QueueMain {
			pipeline.Workflows(w)
		}
		b.activities().Register(w)
		require.NoError(t, w.Start())
		t.Cleanup(w.Stop)
	}
	work(policy.QueueMain, 10)
	for i := range goals {
		uid, id := fmt.Sprint("5000-1", i), fmt.Sprint("download-", i)
		b.goal(uid, 67)
		b.found(b.event(uid), id, fmt.Sprint(i, "a"), fmt.Sprint(i, "b"), fmt.Sprint(i, "c"))
		_, err := c.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: id, TaskQueue: policy.QueueMain}, download.Workflow.Name(),
			download.Input{FixtureID: matchID, EventUID: uid, Download: id, Timing: timing()})
		require.NoError(t, err)
		all := int64(3 * (i + 1))
		require.Eventually(t, func() bool {
			q, err := pipeline.Ask(t.Context(), c, "default", policy.QueueMedia, pipeline.ActivityTasks)
			return err == nil && int64(q.Waiting) == all
		}, time.Minute, 20*time.Millisecond)
	}
	work(policy.QueueVision, 1)
	work(policy.QueueMedia, 1)
	require.Eventually(t, func() bool { return len(b.x.all()) == 3*goals }, 2*time.Minute, 20*time.Millisecond)

	var of []byte // the goal of each
	for _, post := range b.x.all() {
		of = append(of, post[0])
	}
	require.ElementsMatch(t, []byte("012345"), of[:6], "the first of each")
	require.ElementsMatch(t, []byte("01"), of[6:8], "those that have no clip yet")
	require.ElementsMatch(t, []byte("2345"), of[8:12], "the second of each before the third of any")
}
