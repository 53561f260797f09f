package reels_test

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"

	"github.com/found-footy/found-footy/internal/extra/reels"
)

// TestRecordedHistories: the last release's are replayed; those of the releases before, whose workflow went piece by piece, replay or fail cleanly.
func TestRecordedHistories(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("testdata", "histories", "*", "*.json.gz")) // in the order of the releases
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for i, file := range files {
		if err := replay(t, file); i == len(files)-1 {
			require.NoError(t, err, file)
		} else if err != nil {
			require.ErrorContains(t, err, "TMPRL1100", "the SDK's number for a history that the workflow's code does not follow")
		}
	}
}

func replay(t *testing.T, file string) error {
	t.Helper()
	r, err := worker.NewWorkflowReplayerWithOptions(worker.WorkflowReplayerOptions{DisableDeadlockDetection: true}) // by the wall clock
	require.NoError(t, err)
	reels.Workflow.Register(r)
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	h, err := client.HistoryFromJSON(z, client.HistoryJSONOptions{})
	require.NoError(t, err)
	return r.ReplayWorkflowHistory(nil, h)
}
