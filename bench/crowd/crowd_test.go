package main_test

import (
	"encoding/json"
	"testing"
	"time"

	crowd "github.com/found-footy/found-footy/bench/crowd"
	"github.com/found-footy/found-footy/internal/world/script"
	"github.com/stretchr/testify/require"
)

// TestGoalsShareNoPosts: two goals of a match, or a player called like another's team, would make four times as many posts to look at.
func TestGoalsShareNoPosts(t *testing.T) {
	t.Parallel()
	text, err := crowd.Crowd(60, "x", true)
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

func TestWhichGoalsHadAClipBeforeAnyHadTwo(t *testing.T) {
	t.Parallel()
	at := func(seconds ...int) (out []time.Time) {
		for _, s := range seconds {
			out = append(out, time.Date(2026, 11, 14, 15, 0, s, 0, time.UTC))
		}
		return out
	}
	for want, shown := range map[[3]int]map[string][]time.Time{
		{0, 0, 0}: {},
		{1, 1, 1}: {"a": at(2, 1), "b": at(3)},
		{2, 1, 2}: {"a": at(1, 9), "b": at(9), "c": at(10, 11)},
		{3, 0, 0}: {"a": at(1), "b": at(30), "c": at(2)},
	} {
		before, early, further := crowd.Firsts(shown)
		require.Equal(t, want, [3]int{before, early, further})
	}
}

func TestPostsAreWhereTheyAreAskedFor(t *testing.T) {
	t.Parallel()
	for on, want := range map[string]map[string]int{"x": {"": 3}, "reddit": {"reddit": 3}, "both": {"": 3, "reddit": 3}} {
		text, err := crowd.Crowd(1, on, true)
		require.NoError(t, err)
		var day script.Script
		require.NoError(t, json.Unmarshal(text, &day))
		got := map[string]int{}
		for _, p := range day.Fixtures[0].Events[0].Posts {
			got[p.On]++
		}
		require.Equal(t, want, got, on)
	}
	_, err := crowd.Crowd(1, "mastodon", true)
	require.ErrorContains(t, err, `-on "mastodon" is none of x, reddit and both`)
}
