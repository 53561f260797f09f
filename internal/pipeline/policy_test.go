package pipeline_test

import (
	"testing"

	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/stretchr/testify/require"
)

// TestTheEngineAcceptsEveryActivitysOptions: a retry policy that contradicts itself is refused when the activity is to start.
func TestTheEngineAcceptsEveryActivitysOptions(t *testing.T) {
	t.Parallel()
	for _, a := range policy.Activities() {
		o := policy.Options(a, "")
		require.NotEmpty(t, policy.Why(a), a)
		require.GreaterOrEqual(t, o.RetryPolicy.MaximumInterval, o.RetryPolicy.InitialInterval, a)
		require.Positive(t, o.RetryPolicy.InitialInterval, a)
		require.Less(t, o.HeartbeatTimeout, o.StartToCloseTimeout, a)
		require.Contains(t, policy.Queues(), o.TaskQueue, a)
	}
}

// TestWhatOnlyOurOwnStoreCanFailIsTriedForAsLongAsItTakes is finding 1.
func TestWhatOnlyOurOwnStoreCanFailIsTriedForAsLongAsItTakes(t *testing.T) {
	t.Parallel()
	for _, a := range []policy.Activity{policy.BeginSearch, policy.Search, policy.EndSearch, policy.RegisterDownload, policy.DownloadVideo,
		policy.Validate, policy.QueueUpload, policy.UploadVideos, policy.CleanupCopies, policy.MarkComplete} {
		o := policy.Options(a, "")
		require.Zero(t, o.RetryPolicy.MaximumAttempts, a)
		require.Zero(t, o.ScheduleToCloseTimeout, a)
	}
}
