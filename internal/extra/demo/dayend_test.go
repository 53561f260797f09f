package demo_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/clip/delay"
	"github.com/found-footy/found-footy/internal/extra/demo"
	"github.com/found-footy/found-footy/internal/world"
)

func TestTheSummaryCountsLikePeopleDo(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	one := demo.Summary{Fixtures: 1, Goals: 2, GoalsClip: 1, Clips: 1, Duplicates: 1, Rejected: map[string]int{"screen": 1},
		FirstClip: delay.Figures([]delay.Way{{delay.Certain: 3, delay.Search: 0.8}}, 10), Scale: 10,
		Expectations: demo.Expectations{Met: 3, Failed: []world.Failure{{Where: "here", Expected: "this", Observed: "that"}}}}
	one.Print(&out)
	for _, line := range []string{"The day is over: 1 match, 2 goals", "1 clip found for 1 goal; 1 goal without one", "1 post refused, 1 duplicate recognised",
		"First clip of 1 goal, median / 90th percentile: from first seen to the clip 4 / 4 s, of this, our own part 1 / 1 s, until it was certain 3 / 3 s, search 1 / 1 s\n",
		"in real seconds; the feed is polled 10 times as often as in life",
		"3 of the script's 4 expectations met", "not met: here"} {
		require.Contains(t, out.String(), line)
	}
	require.NotContains(t, out.String(), "(s)")
	require.NotContains(t, out.String(), "nobody can tell")

	out.Reset()
	one.Expectations.Unknown = 2
	one.Print(&out)
	for _, line := range []string{"3 of the script's 6 expectations met", "not met: here", "2 more could not be checked: their goals are missing"} {
		require.Contains(t, out.String(), line)
	}
}

// TestADayWhoseStateCannotBeReadEnds: a demo with --exit never did.
func TestADayWhoseStateCannotBeReadEnds(t *testing.T) {
	t.Parallel()
	broken, at := errors.New("database disk image is malformed"), time.Unix(0, 0)
	read := demo.Patience(time.Minute)
	require.NoError(t, read(broken, at))
	require.NoError(t, read(broken, at.Add(59*time.Second)))
	require.NoError(t, read(nil, at.Add(time.Minute)), "it was a hiccup")
	require.NoError(t, read(broken, at.Add(2*time.Minute)))
	require.ErrorIs(t, read(broken, at.Add(3*time.Minute)), broken)
}

func TestADayThatStillAdvancesIsNotOver(t *testing.T) {
	t.Parallel()
	require.Equal(t, []bool{true, false, true, true, false, true}, demo.Advanced([3]int{3, 9, 10}, [3]int{3, 9, 10}, [3]int{3, 9, 11}, [3]int{2, 10, 11},
		[3]int{3, 9, 11}, [3]int{2, 8, 11}))
}
