package lifecycle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
)

func TestMatchesAreLookedAtAgainWhereThePlanAllows(t *testing.T) {
	t.Parallel()
	full := lifecycle.Pace{Staging: 1, Live: 1}
	unlimited := lifecycle.Quota{DayLimit: -1, DayRemaining: -1, MinuteLimit: -1, MinuteRemaining: -1}
	minute := lifecycle.Quota{DayLimit: -1, DayRemaining: 7000, MinuteLimit: 6, MinuteRemaining: 6}
	slow := reckoning(paid)
	slow.Windows.SecondLook = 0
	fast := reckoning(paid)
	fast.Cycle = 29 * time.Second
	for name, c := range map[string]struct {
		r    lifecycle.Reckoning
		q    lifecycle.Quota
		pace lifecycle.Pace
		want time.Duration
	}{
		"nobody counts":                      {reckoning(paid), unlimited, full, 15 * time.Second},
		"enough for a tenth more":            {reckoning(paid), quota(7500, 1600), full, 15 * time.Second},
		"just enough for what must be asked": {reckoning(paid), quota(7500, 1400), full, 0},
		"stretched":                          {reckoning(paid), quota(7500, 7000), lifecycle.Pace{Staging: 2, Live: 1}, 0},
		"each match costs a call":            {reckoning(freeKey), quota(7500, 7000), full, 0},
		"a minute has no call left":          {reckoning(paid), minute, full, 0},
		"not wanted":                         {slow, unlimited, full, 0},
		"the next cycle comes too soon":      {fast, unlimited, full, 0},
	} {
		d := demand(1000, 0)
		d.Single = !c.r.Can.IDs
		require.Equal(t, c.want, c.r.SecondLook(c.q, d, c.pace), name)
	}
}

func TestOnlyAGoalThatIsBeingValidatedIsLookedAtAgain(t *testing.T) {
	t.Parallel()
	votes := func(n int) []string { return make([]string, n) }
	for name, c := range map[string]struct {
		e    footy.Event
		want bool
	}{
		"seen once":                       {footy.Event{Votes: votes(1)}, true},
		"three saw it, its scorer is new": {footy.Event{Votes: votes(3)}, true},
		"nobody ever names the scorer":    {footy.Event{Votes: votes(6)}, false},
		"certain":                         {footy.Event{Votes: votes(3), CertainAt: noon}, false},
		"missed":                          {footy.Event{Votes: votes(1), AbsentPolls: votes(1)}, false},
		"missed, which does not count":    {footy.Event{Votes: votes(1), Withheld: footy.ReasonScoreNeeds}, false},
		"a certain goal is missed":        {footy.Event{CertainAt: noon, AbsentPolls: votes(2)}, false},
		"removed":                         {footy.Event{Votes: votes(1), Removed: true}, false},
	} {
		require.Equal(t, c.want, lifecycle.LookAgain(footy.Fixture{Events: []footy.Event{{CertainAt: noon}, c.e}}), name)
	}
	require.False(t, lifecycle.LookAgain(footy.Fixture{}))
}

// TestAGoalIsCertainAfterHalfAMinute plays the afternoons of docs/bench.md: a tenth more calls at most, and none on a plan that is short.
func TestAGoalIsCertainAfterHalfAMinute(t *testing.T) {
	t.Parallel()
	day := noon.Truncate(24 * time.Hour)
	for _, n := range []int{20, 60} {
		once := reckoning(paid)
		once.Windows.SecondLook = 0
		before := once.Forecast(afternoon(n), day, proPlan, goals(afternoon(n), 40)...)
		after := reckoning(paid).Forecast(afternoon(n), day, proPlan, goals(afternoon(n), 40)...)
		require.Equal(t, 75*time.Second, before.Certain.Round(15*time.Second), "%+v", before)
		require.Equal(t, 45*time.Second, after.Certain.Round(15*time.Second), "%+v", after)
		require.LessOrEqual(t, after.Calls, before.Calls*11/10)
		require.Greater(t, after.Calls, before.Calls)
	}
	free := reckoning(freeKey)
	free.Windows.SecondLook = 0
	require.Equal(t, free.Forecast(afternoon(20), day, freePlan, goals(afternoon(20), 40)...),
		reckoning(freeKey).Forecast(afternoon(20), day, freePlan, goals(afternoon(20), 40)...))
}

// goals fall one after another in the matches that are under way.
func goals(kickoffs []time.Time, n int) (out []lifecycle.Goal) {
	for i := range n {
		m := i % len(kickoffs)
		at := kickoffs[m].Add(time.Duration(1+(i*37)%109)*time.Minute + time.Duration(i*7%30)*time.Second)
		out = append(out, lifecycle.Goal{Match: m, At: at})
	}
	return out
}
