package pipeline_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/search"
	"github.com/found-footy/found-footy/internal/pipeline/upload"
)

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
		if a.Row.Local { // there is no queue, and nothing that a heartbeat would tell
			require.Equal(t, policy.QueueMain, a.Row.Queue, "%s: the process that has the workflow has nothing else", a.Name)
			require.Zero(t, a.Row.Heartbeat, a.Name)
			require.Zero(t, a.Row.Priority, a.Name)
		}
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

func TestSearchesAreMadeWhileAGoalIsFollowed(t *testing.T) {
	t.Parallel()
	d := policy.Defaults()
	require.Len(t, d.SearchAt, d.Searches)
	require.Zero(t, d.SearchAt[0])
	for i, at := range d.SearchAt[1:] {
		require.GreaterOrEqual(t, at-d.SearchAt[i], 30*time.Second, "one takes so long")
		require.Less(t, at-d.SearchAt[i], d.Window*2/9, "a longer pause passes for one in which nobody searched")
	}
	require.LessOrEqual(t, d.SearchAt[9], 20*time.Minute, "from full time until the match is followed no more")
	scaled := d.Scaled(30)
	require.Equal(t, d.SearchAt[9]/30, scaled.SearchAt[9])
	require.Equal(t, policy.Defaults().SearchAt, d.SearchAt, "those of others stay")
	require.Equal(t, d.Limits().At, d.SearchAt)
}
