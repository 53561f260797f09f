package pipeline_test

import (
	"bufio"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/pipeline/upload"
)

var histories = filepath.Join("testdata", "histories")

func replayer(t *testing.T) worker.WorkflowReplayer {
	t.Helper()
	r, err := worker.NewWorkflowReplayerWithOptions(worker.WorkflowReplayerOptions{DisableDeadlockDetection: true}) // by the wall clock
	require.NoError(t, err)
	return r
}

func replay(t *testing.T, file string) error {
	t.Helper()
	r := replayer(t)
	pipeline.Workflows(r)
	h := read(t, file)
	var o worker.ReplayWorkflowHistoryOptions // the ids of children are made of a workflow's own
	o.OriginalExecution.ID = h.GetEvents()[0].GetWorkflowExecutionStartedEventAttributes().GetWorkflowId()
	return r.ReplayWorkflowHistoryWithOptions(nil, h, o)
}

func read(t *testing.T, file string) *history.History {
	t.Helper()
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	events, err := client.HistoryFromJSON(z, client.HistoryJSONOptions{})
	require.NoError(t, err)
	return events
}

// latest is the directory of the last release that recorded histories of each type of workflow.
func latest(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(histories, "*", "*.json.gz")) // in the order of the releases
	require.NoError(t, err)
	last := map[string]string{}
	for _, file := range files {
		name, _, _ := strings.Cut(filepath.Base(file), "-")
		last[name] = filepath.Dir(file)
	}
	return last
}

// TestReplay runs the last recorded histories of each type of workflow through today's code: a change that a running workflow could not
// survive fails here. Such a change needs histories of a new release (make record); workflows of the old one then fail cleanly and their
// work is begun again from the ledger.
func TestReplay(t *testing.T) {
	t.Parallel()
	last := latest(t)
	for _, w := range pipeline.WorkflowTypes() {
		require.Contains(t, last, w.Name(), "no recorded history")
		files, err := filepath.Glob(filepath.Join(last[w.Name()], w.Name()+"-*.json.gz"))
		require.NoError(t, err)
		for _, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) {
				t.Parallel()
				require.NoError(t, replay(t, file))
			})
		}
	}
}

// TestHistoriesOfFormerReleasesReplayOrFailCleanly: a workflow that an older worker began goes on, or fails and is begun again from the ledger.
// What cannot be read, an input or a result in another shape, would be neither.
func TestHistoriesOfFormerReleasesReplayOrFailCleanly(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(histories, "*", "*.json.gz"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			if err := replay(t, file); err != nil {
				require.ErrorContains(t, err, "TMPRL1100", "the SDK's number for a history that the workflow's code does not follow")
			}
		})
	}
}

// TestAHistoryThatNoLongerFitsFailsCleanly: what cannot be replayed is an error of that workflow, and nothing hangs or crashes.
func TestAHistoryThatNoLongerFitsFailsCleanly(t *testing.T) {
	t.Parallel()
	r := replayer(t)
	other := func(ctx workflow.Context, in upload.Input) (upload.Output, error) {
		return upload.Output{}, upload.CleanupCopies.Run(ctx, in, "another first step")
	}
	r.RegisterWorkflowWithOptions(other, workflow.RegisterOptions{Name: upload.Workflow.Name()})
	files, err := filepath.Glob(filepath.Join(latest(t)[upload.Workflow.Name()], upload.Workflow.Name()+"-*.json.gz"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	require.ErrorContains(t, r.ReplayWorkflowHistory(nil, read(t, files[0])), "nondeterministic")
}

// TestHistoriesAreAppendOnly refuses a recorded history that was changed: it would no longer be what a worker once wrote.
func TestHistoriesAreAppendOnly(t *testing.T) {
	t.Parallel()
	list, err := os.Open(filepath.Join(histories, "SHA256SUMS"))
	require.NoError(t, err)
	defer list.Close()
	listed := map[string]bool{}
	for lines := bufio.NewScanner(list); lines.Scan(); {
		sum, name, ok := strings.Cut(lines.Text(), "  ")
		require.True(t, ok, lines.Text())
		body, err := os.ReadFile(filepath.Join(histories, name))
		require.NoError(t, err, "a recorded history is gone")
		is := sha256.Sum256(body)
		require.Equal(t, sum, hex.EncodeToString(is[:]), "%s was changed: histories are append-only, record a new release instead", name)
		listed[filepath.Clean(name)] = true
	}
	require.NoError(t, filepath.WalkDir(histories, func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".gz") {
			rel, _ := filepath.Rel(histories, path)
			require.True(t, listed[rel], "%s is not in SHA256SUMS", rel)
		}
		return err
	}))
}
