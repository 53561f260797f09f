package plan_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/bench/chaos/day"
	"github.com/found-footy/found-footy/bench/chaos/plan"
)

func steps() []string {
	var out []string
	for i := range 17 {
		out = append(out, fmt.Sprintf("step-%d", i))
	}
	return append(out, "tombstone-written", "bytes-deleted", "round-committed", "notification-sent")
}

func TestASeedIsAPlan(t *testing.T) {
	t.Parallel()
	again := plan.Make(7, steps())
	require.Equal(t, plan.Make(7, steps()), again)
	require.NotEqual(t, plan.Make(7, steps()).Faults, plan.Make(8, steps()).Faults)
	require.Contains(t, plan.Make(7, steps()).String(), "seed 7, the worker first starts after ")
}

func TestAWeekOfSeedsHasEveryFault(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	late := false
	for seed := range uint64(20) {
		p := plan.Make(seed, steps())
		late = late || p.Start > 0
		for _, f := range p.Faults {
			seen[f.Kind+" "+f.Target] = true
			require.GreaterOrEqual(t, f.At, 3*time.Second, p.String())
			if slices.Contains([]string{plan.Worker, plan.Engine, plan.Feed, "feed_down"}, f.Target) {
				require.Greater(t, f.At, p.Start, "what does not run cannot be killed, and a late start is not delayed further: %s", p)
			}
			require.Positive(t, f.For, p.String())
		}
		for _, s := range slices.Concat(p.Steps, p.WebSteps) {
			seen["step "+s] = true
		}
	}
	require.True(t, late, "some worker starts in mid-match")
	for _, lasting := range []string{"restore state", "lost engine", "clock ahead", "clock back", "rewind state", "half-open s3", "freeze engine", "older state", "upgrade state"} {
		require.True(t, seen[lasting], lasting)
	}
	for _, f := range plan.Short(1, steps()).Faults {
		if f.Target != "feed_down" { // a cut is the same to the product
			require.Condition(t, func() bool {
				return seen[f.Kind+" "+f.Target] || f.Kind == plan.HalfOpen || f.Kind == plan.Slow || f.Kind == plan.Reset
			}, f)
		}
	}
	for _, s := range steps() {
		require.True(t, seen["step "+s], s)
	}
}

func TestFaultsOfOneTargetDoNotHideOneAnother(t *testing.T) {
	t.Parallel()
	onProcess := []string{plan.Kill, plan.Rewind, plan.Restore, plan.Older, plan.Upgrade, plan.Lost, plan.Freeze}
	for seed := range uint64(200) {
		last := map[string]plan.Fault{}
		for _, f := range append(plan.Make(seed, steps()).Faults, plan.Fault{}) {
			lane := f.Target + map[bool]string{true: " process"}[slices.Contains(onProcess, f.Kind)]
			if before, ok := last[lane]; ok && f.Kind != plan.Outside {
				require.Greater(t, f.At, before.At+before.For, "seed %d: %s and %s", seed, before, f)
			}
			last[lane] = f
		}
	}
}

func TestAFaultIsPlayedAlone(t *testing.T) {
	t.Parallel()
	p := plan.Make(4, steps())
	require.Empty(t, p.Only("rewind state").Steps)
	require.Len(t, p.Only("rewind state").Faults, 1)
	require.Equal(t, 2*time.Minute, p.Only("rewind state").Faults[0].For, "an hour of the day")
	require.Greater(t, len(p.Only("cut").Faults), 1)
	require.Empty(t, p.Only("rewind nothing").Faults)
}

func TestClipsOfPlansAreTheDays(t *testing.T) {
	t.Parallel()
	s, err := day.Read()
	require.NoError(t, err)
	known := map[string]bool{}
	for _, f := range s.Fixtures {
		for _, e := range f.Events {
			for _, p := range e.Posts {
				known[fmt.Sprintf("%d/%s/%s", f.ID, e.Key, p.Kind)] = true
			}
		}
	}
	for _, c := range plan.Clips {
		require.True(t, known[c], c)
	}
}

func TestStepsOfThePageAreThePages(t *testing.T) {
	t.Parallel()
	p := plan.Short(1, append(steps(), "posting-sent"))
	pages := []string{"tombstone-written", "bytes-deleted", "round-committed", "notification-sent", "posting-sent"}
	require.ElementsMatch(t, pages, p.WebSteps)
	require.Len(t, p.Steps, 17)
}
