package policy_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/pipeline/policy"
)

func TestAnUploadEndsAfterFiveIdleMinutes(t *testing.T) {
	t.Parallel()
	require.Equal(t, 5*time.Minute, policy.Defaults().UploadIdle)
}

// TestYoungGoalsAreSearchedFirst: a goal comes behind younger ones with each three searches that were due.
func TestYoungGoalsAreSearchedFirst(t *testing.T) {
	t.Parallel()
	d := policy.Defaults()
	for intervals, want := range []int{1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, policy.Lowest, policy.Lowest, policy.Lowest, policy.Lowest} {
		require.Equal(t, want, d.Priority(time.Duration(intervals)*d.SearchEvery), intervals)
	}
	require.Equal(t, policy.Lowest, policy.Timing{}.Priority(time.Hour), "of a search that began under an earlier release")
}
