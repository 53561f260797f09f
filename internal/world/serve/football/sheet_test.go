package football_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/world/script"
	"github.com/found-footy/found-footy/internal/world/serve/football"
)

// TestFullTimeWaitsForWhatAnswersTell: steps that count answers would otherwise be cut off for whoever asks slowly.
func TestFullTimeWaitsForWhatAnswersTell(t *testing.T) {
	t.Parallel()
	no := false
	f := script.Fixture{ID: 1, Kickoff: -30, Turns: []script.Turn{{At: 20, Status: "FT"}},
		Events: []script.Event{{Key: "var", Kind: "goal", Minute: 20, Steps: []script.Step{{Poll: 5, Listed: &no, Counts: &no}}}}}
	at := func(n int) string { return football.StatusOf(f, 25, n) }
	require.NotEqual(t, "FT", at(4), "not cancelled yet")
	require.NotEqual(t, "FT", at(7), "cancelled, and not yet believed")
	require.Equal(t, "FT", at(8))
}
