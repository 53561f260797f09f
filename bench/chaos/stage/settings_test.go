package stage_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/bench/chaos/stage"
)

// On a slow machine the world's lines come one by one: what stands behind the first of them must not be missed.
func TestAWorldIsHeardToItsLastLine(t *testing.T) {
	var w stage.Settings
	for _, line := range []string{"Mode slow_model", "API_FOOTBALL_URL=http://127.0.0.1:1/feed", "TIME_SCALE=30"} {
		require.False(t, w.Hear(line), line)
	}
	require.False(t, w.Hear("LLAMA_URL=http://127.0.0.1:1/llm"))
	require.True(t, w.Hear("WORLD_CONTROL_URL=http://127.0.0.1:2"))
	all := w.Lines
	require.Equal(t, []string{"API_FOOTBALL_URL=http://127.0.0.1:1/feed", "TIME_SCALE=30", "LLAMA_URL=http://127.0.0.1:1/llm"}, all)
	require.True(t, w.Hear("API_FOOTBALL_URL=http://127.0.0.1:1/feed"), "it was started again")
	require.Equal(t, all, w.Lines)
}
