package main_test

import (
	"encoding/json"
	"testing"

	crowd "github.com/found-footy/found-footy/bench/crowd"
	"github.com/found-footy/found-footy/internal/world/script"
	"github.com/stretchr/testify/require"
)

// TestGoalsShareNoPosts: two goals of a match, or a player called like another's team, would make four times as many posts to look at.
func TestGoalsShareNoPosts(t *testing.T) {
	t.Parallel()
	text, err := crowd.Crowd(60)
	require.NoError(t, err)
	var day script.Script
	require.NoError(t, json.Unmarshal(text, &day))
	names := map[string]bool{}
	for _, team := range day.Teams {
		names[team.City] = true
	}
	for _, f := range day.Fixtures {
		require.Len(t, f.Events, 1)
		names[f.Events[0].Player.Name[len("A. "):]] = true
	}
	require.Len(t, day.Fixtures, 60)
	require.Len(t, names, 3*60)
}
