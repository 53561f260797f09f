package pipeline_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/search"
	"github.com/found-footy/found-footy/internal/pipeline/upload"
	"github.com/stretchr/testify/require"
)

func TestTheTableOfTimeOutsIsUpToDate(t *testing.T) {
	t.Parallel()
	page := filepath.Join("..", "..", "docs", "activities.md")
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), "<!-- table -->\n")
	require.True(t, found)
	_, behind, found := strings.Cut(rest, "<!-- end -->")
	require.True(t, found)
	want := before + "<!-- table -->\n" + pipeline.Table() + "<!-- end -->" + behind
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(want), 0o644))
		return
	}
	require.Equal(t, want, string(text), "run: go test ./internal/pipeline -run TimeOuts -update")
}

var update = flag.Bool("update", false, "write the printed table")

// TestTheEngineAcceptsEveryActivitysOptions: a retry policy that contradicts itself is refused when the activity is to start.
func TestTheEngineAcceptsEveryActivitysOptions(t *testing.T) {
	t.Parallel()
	for _, a := range (pipeline.Activities{}).All() {
		o := a.Row.Options("")
		require.NotEmpty(t, a.Row.Why, a.Name)
		require.GreaterOrEqual(t, o.RetryPolicy.MaximumInterval, o.RetryPolicy.InitialInterval, a.Name)
		require.Positive(t, o.RetryPolicy.InitialInterval, a.Name)
		require.Positive(t, o.StartToCloseTimeout, a.Name)
		require.Less(t, o.HeartbeatTimeout, o.StartToCloseTimeout, a.Name)
		require.Contains(t, policy.Queues(), o.TaskQueue, a.Name)
	}
}

// TestWhatOnlyOurOwnStoreCanFailIsTriedForAsLongAsItTakes: a try costs nothing while it is away.
func TestWhatOnlyOurOwnStoreCanFailIsTriedForAsLongAsItTakes(t *testing.T) {
	t.Parallel()
	for _, r := range []policy.Row{search.BeginSearch.Row(), search.Search.Row(), search.EndSearch.Row(), download.RegisterDownload.Row(), download.DownloadVideo.Row(),
		download.Validate.Row(), download.QueueUpload.Row(), upload.UploadVideos.Row(), upload.CleanupCopies.Row(), upload.MarkComplete.Row()} {
		require.Zero(t, r.Tries, r.Why)
		require.Zero(t, r.Budget, r.Why)
	}
}
