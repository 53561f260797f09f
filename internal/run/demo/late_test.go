package demo_test

import (
	"strings"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/demo"
	"github.com/found-footy/found-footy/internal/world"
	"github.com/stretchr/testify/require"
)

func TestAMachineThatIsTooSlowIsNamed(t *testing.T) {
	t.Parallel()
	const s = time.Second
	for name, c := range map[string]struct {
		look, search time.Duration
		says         string
	}{
		"in time":            {s, 2 * s, ""},
		"a little late":      {1400 * time.Millisecond, 2900 * time.Millisecond, ""},
		"nothing to measure": {0, 0, ""},
		"late looks": {2500 * time.Millisecond, 2 * s,
			"this machine was too slow for the day: a look at a match every 2.5 s instead of every 1.0 s; TIME_SCALE=12 plays it slowly enough"},
		"both late": {2 * s, 6 * s,
			"this machine was too slow for the day: a look at a match every 2.0 s instead of every 1.0 s, a search of a goal every 6.0 s instead of every 2.0 s; TIME_SCALE=10 plays it slowly enough"},
		"beyond help": {60 * s, 2 * s, "this machine was too slow for the day: a look at a match every 60.0 s instead of every 1.0 s"},
	} {
		require.Equal(t, c.says, demo.TooSlow(30, s, c.look, 2*s, c.search), name)
	}
	require.Empty(t, demo.TooSlow(30, 0, 9*s, 2*s, 2*s), "where nothing is due, nothing is late")
	var out strings.Builder
	one := demo.Summary{Fixtures: 1, TooSlow: "this machine was too slow",
		Expectations: demo.Expectations{Failed: []world.Failure{{Where: "here", Expected: "this", Observed: "that"}}}}
	one.Print(&out)
	require.Contains(t, out.String(), "not met: here: expected this, observed that\n  A possible cause: this machine was too slow\n")
}

func TestOnlySearchesThatFollowEachOtherTellHowFastAMachineIs(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 11, 14, 15, 0, 0, 0, time.UTC)
	query := func(goal string, try, second int, state footy.SearchState) footy.Entry {
		return footy.Entry{EventUID: goal, Kind: footy.EntryQuery, Try: try, At: start.Add(time.Duration(second) * time.Second), Data: footy.Evidence{State: state, Round: 1}}
	}
	rows := []footy.Entry{
		query("a", 1, -20, footy.SearchEmpty), query("a", 2, -10, footy.SearchEmpty), // another process played this
		query("b", 1, 1, footy.SearchResults), query("a", 3, 2, footy.SearchEmpty), query("b", 2, 4, footy.SearchEmpty),
		query("b", 3, 60, footy.SearchRateLimited), query("b", 4, 62, footy.SearchEmpty), query("b", 5, 66, footy.SearchEmpty), query("b", 7, 90, footy.SearchEmpty),
	}
	at := []time.Duration{0, 2 * time.Second, 4 * time.Second, 9 * time.Second}
	due, came := demo.BetweenSearches(rows, start, at)
	require.Equal(t, []time.Duration{2 * time.Second, 5 * time.Second}, due, "as many counted before")
	require.Equal(t, []time.Duration{3 * time.Second, 4 * time.Second}, came)
}
