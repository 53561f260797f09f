package reels_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/reels"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/run/port"
)

// TestTheEngineAcceptsTheActivitysOptions: one that contradicts itself is refused when the activity is to start.
func TestTheEngineAcceptsTheActivitysOptions(t *testing.T) {
	t.Parallel()
	part, err := reels.Extra().Worker(port.Core{}, port.Duty{})
	require.NoError(t, err)
	require.NotEmpty(t, part.Activities)
	for _, a := range part.Activities {
		o := a.Row.Options("")
		require.Less(t, o.HeartbeatTimeout, o.StartToCloseTimeout, a.Name)
		require.Contains(t, policy.Queues(), o.TaskQueue, a.Name)
	}
}
