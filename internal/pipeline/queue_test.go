package pipeline_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/pipeline"
)

func TestAWorkerIsReadyWhileTheEngineSeesItAskForTasks(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 7, 15, 0, 0, 0, time.UTC)
	seen := func(ago time.Duration) pipeline.Queue {
		return pipeline.Queue{Pollers: map[string]time.Time{"7@other": now, "7@this": now.Add(-ago)}}
	}
	require.True(t, seen(time.Minute).PolledBy("7@this", now))
	require.False(t, seen(4*time.Minute).PolledBy("7@this", now), "not for minutes")
	require.False(t, pipeline.Queue{}.PolledBy("7@this", now))
}

func TestTasksThatWaitForNobodyAreTold(t *testing.T) {
	t.Parallel()
	worker := map[string]time.Time{"7@this": time.Now()}
	require.True(t, pipeline.Queue{Waiting: 3}.Abandoned())
	require.False(t, pipeline.Queue{Waiting: 3, Pollers: worker}.Abandoned(), "they wait their turn")
	require.False(t, pipeline.Queue{}.Abandoned(), "nothing waits")
}
