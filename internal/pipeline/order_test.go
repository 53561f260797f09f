package pipeline_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"

	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/tools/devtest"
)

// TestTheFirstPostOfEachGoalIsFetchedBeforeTheSecondOfAny asks a real engine: posts of six goals wait for one slot.
func TestTheFirstPostOfEachGoalIsFetchedBeforeTheSecondOfAny(t *testing.T) {
	t.Parallel()
	const goals = 6
	at := devtest.Start(t, "temporal", "--db", filepath.Join(t.TempDir(), "engine.db"), "--ui-port", "-1")
	c, err := client.DialContext(t.Context(), client.Options{HostPort: at.Address, Logger: discard{}})
	require.NoError(t, err)
	t.Cleanup(c.Close)

	b := newBench(t)
	b.down.Temporal = c
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
			download.Input{EventInput: policy.EventInput{FixtureID: matchID, EventUID: uid, Timing: timing()}, Download: id})
		require.NoError(t, err)
	}
	require.Eventually(t, func() bool {
		q, err := pipeline.Ask(t.Context(), c, "default", policy.QueueMedia, pipeline.ActivityTasks)
		return err == nil && q.Waiting == 3*goals
	}, time.Minute, 20*time.Millisecond)
	work(policy.QueueMedia, 1)
	require.Eventually(t, func() bool { return len(b.x.all()) == 3*goals }, 2*time.Minute, 20*time.Millisecond)

	var of []byte // the goal of each
	for _, post := range b.x.all()[:goals] {
		of = append(of, post[0])
	}
	require.ElementsMatch(t, []byte("012345"), of)
}
