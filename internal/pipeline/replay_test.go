package pipeline_test

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"

	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
)

// TestReplay runs recorded histories through today's workflow code: a change that a running workflow could not survive
// fails here. Record anew with `make record` only together with a version gate or a migration note.
func TestReplay(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("testdata", "histories", "*.json.gz"))
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, file := range files {
		seen[filepath.Base(file)[:len(filepath.Base(file))-len("-a.json.gz")]] = true
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			f, err := os.Open(file)
			require.NoError(t, err)
			defer f.Close()
			z, err := gzip.NewReader(f)
			require.NoError(t, err)
			history, err := client.HistoryFromJSON(z, client.HistoryJSONOptions{})
			require.NoError(t, err)
			r := worker.NewWorkflowReplayer()
			pipeline.Workflows(r)
			require.NoError(t, r.ReplayWorkflowHistory(nil, history))
		})
	}
	for _, name := range []string{policy.IngestWorkflow, policy.MonitorWorkflow, policy.RAGWorkflow, policy.TwitterWorkflow, policy.DownloadWorkflow, policy.UploadWorkflow, policy.CanaryWorkflow} {
		require.True(t, seen[name], "no recorded history of %s", name)
	}
}
