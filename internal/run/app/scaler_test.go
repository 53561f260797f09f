package app_test

import (
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/stretchr/testify/require"
)

// TestStoppingTakesLongerThanAnyHeartbeat: else a container is killed while the engine still waits for its word.
func TestStoppingTakesLongerThanAnyHeartbeat(t *testing.T) {
	t.Parallel()
	for _, a := range (pipeline.Activities{}).All() {
		require.Less(t, a.Row.Heartbeat, app.Drain(t, map[string]string{"TEMPORAL_ADDRESS": "127.0.0.1:1"}), a.Name)
	}
	require.Less(t, app.Drain(t, map[string]string{"TEMPORAL_ADDRESS": "127.0.0.1:1"})+8*time.Second, app.StopGrace, "room for the last words")
	require.Less(t, app.Drain(t, nil), 10*time.Second, "the engine of its own ends with it, and a person waits")
}

func TestTheScalerSaysWhatItLacks(t *testing.T) {
	t.Parallel()
	log := slog.New(slog.DiscardHandler)
	require.ErrorContains(t, app.RunScaler(t.Context(), parsed(t, nil), log, "test", true), "TEMPORAL_ADDRESS is not set")
	socket := filepath.Join(t.TempDir(), "none.sock")
	require.ErrorContains(t, app.RunScaler(t.Context(), parsed(t, map[string]string{"TEMPORAL_ADDRESS": "127.0.0.1:1", "DOCKER_SOCKET": socket}), log, "test", true), "DOCKER_SOCKET="+socket)
}
