package demo_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/demo"
	"github.com/found-footy/found-footy/internal/world"
)

func TestAMachineThatIsTooSlowIsNamed(t *testing.T) {
	t.Parallel()
	const s = time.Second
	for name, c := range map[string]struct {
		look time.Duration
		says string
	}{
		"in time":            {s, ""},
		"a little late":      {1400 * time.Millisecond, ""},
		"nothing to measure": {0, ""},
		"late":               {2500 * time.Millisecond, "this machine was too slow for the day: a look at a match every 2.5 s instead of every 1.0 s; TIME_SCALE=12 plays it slowly enough"},
		"beyond help":        {60 * s, "this machine was too slow for the day: a look at a match every 60.0 s instead of every 1.0 s"},
	} {
		require.Equal(t, c.says, demo.TooSlow(30, s, c.look), name)
	}
	var out strings.Builder
	one := demo.Summary{Fixtures: 1, TooSlow: "this machine was too slow",
		Expectations: demo.Expectations{Failed: []world.Failure{{Where: "here", Expected: "this", Observed: "that"}}}}
	one.Print(&out)
	require.Contains(t, out.String(), "not met: here: expected this, observed that\n  A possible cause: this machine was too slow\n")
}
