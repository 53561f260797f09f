package lifecycle_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/match/calls"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
)

var (
	freePlan = lifecycle.Quota{DayLimit: 100, DayRemaining: 100, MinuteLimit: 10, MinuteRemaining: 10}
	proPlan  = lifecycle.Quota{DayLimit: 7500, DayRemaining: 7500, MinuteLimit: 300, MinuteRemaining: 300}
)

// afternoon are n matches as a league plays them: most at three, the others half an hour after those have ended.
func afternoon(n int) []time.Time {
	day := noon.Truncate(24 * time.Hour)
	var out []time.Time
	for i := range n {
		k := day.Add(15 * time.Hour)
		if i >= (n+1)*5/8 {
			k = day.Add(17*time.Hour + 30*time.Minute)
		}
		out = append(out, k)
	}
	return out
}

func TestAFreeKeyFollowsOneLeaguesAfternoon(t *testing.T) {
	t.Parallel()
	kickoffs := afternoon(8) // five at three, three at half past five
	q := freePlan
	q.DayRemaining -= 6 // lists of the days, and a look with footy doctor
	f := reckoning(freeKey).Forecast(kickoffs, noon.Truncate(24*time.Hour), q)
	t.Logf("%+v", f)
	require.Zero(t, f.Unseen)
	require.Zero(t, f.Refused)
	require.LessOrEqual(t, f.Calls, q.DayRemaining)
	require.LessOrEqual(t, f.Minute, 10)
	require.LessOrEqual(t, f.Usual, 4*time.Minute)
	require.LessOrEqual(t, f.Longest, 6*time.Minute)
}

func TestAForecastKeepsWithinWhatThereIs(t *testing.T) {
	t.Parallel()
	day := noon.Truncate(24 * time.Hour)
	for _, limit := range []int{100, 7500} {
		for _, n := range []int{1, 12, 60} {
			for _, can := range []calls.Can{freeKey, paid, onlyByID, {}} {
				q := lifecycle.Quota{DayLimit: limit, DayRemaining: limit, MinuteLimit: 10, MinuteRemaining: 10}
				f := reckoning(can).Forecast(afternoon(n), day, q)
				name := fmt.Sprintf("plan of %d, %d matches, %+v: %+v", limit, n, can, f)
				require.LessOrEqual(t, f.Calls, limit, name)
				require.LessOrEqual(t, f.Minute, 10, name)
				if can.Live {
					require.Zero(t, f.Refused, name)
					require.Zero(t, f.Unseen, name)
				}
			}
		}
	}
}

// TestCallsOfAnAfternoon prints what docs/bench.md shows. In the first rows of a plan each cycle asks for all matches by ids, twenty in a
// call; in the second it looks once at each.
func TestCallsOfAnAfternoon(t *testing.T) {
	t.Parallel()
	day := noon.Truncate(24 * time.Hour)
	var table strings.Builder
	fmt.Fprintf(&table, "%8s %6s  %-22s %7s %6s %6s %6s  %7s %9s %9s %9s\n", "matches", "goals", "plan", "calls", "live", "ids", "id", "minute", "look each", "longest", "certain")
	row := func(n, fall int, name string, r lifecycle.Reckoning, q lifecycle.Quota) lifecycle.Forecast {
		f := r.Forecast(afternoon(n), day, q, goals(afternoon(n), fall)...)
		fmt.Fprintf(&table, "%8d %6d  %-22s %7d %6d %6d %6d  %7d %9s %9s %9s\n", n, fall, name, f.Calls, f.ByKind.Live, f.ByKind.IDs, f.ByKind.ID, f.Minute, f.Usual, f.Longest, f.Certain)
		return f
	}
	for _, c := range []struct{ matches, goals int }{{1, 3}, {5, 13}, {20, 40}, {60, 40}, {60, 160}} {
		once := func(can calls.Can) lifecycle.Reckoning {
			r := reckoning(can)
			r.Windows.SecondLook = 0
			return r
		}
		byID := row(c.matches, c.goals, "paid, by ids alone", once(onlyByID), proPlan)
		before := row(c.matches, c.goals, "paid, one look", once(paid), proPlan)
		after := row(c.matches, c.goals, "paid, now", reckoning(paid), proPlan)
		require.LessOrEqual(t, before.Calls, byID.Calls)
		require.LessOrEqual(t, after.Usual, before.Usual)
		require.Less(t, after.Certain, before.Certain)
		now := row(c.matches, c.goals, "free, now", reckoning(freeKey), freePlan)
		require.Zero(t, now.Unseen)
	}
	t.Log("\n" + table.String())
}

// TestThePaceOfAFreeKey: README tells these figures. A day's calls are spread over the hours in which matches are under way, so that the
// number of kickoffs makes the pace, not that of matches.
func TestThePaceOfAFreeKey(t *testing.T) {
	t.Parallel()
	day := noon.Truncate(24 * time.Hour)
	at := func(hours ...float64) (out []time.Time) {
		for _, h := range hours {
			out = append(out, day.Add(time.Duration(h*float64(time.Hour))))
		}
		return out
	}
	for name, c := range map[string]struct {
		kickoffs []time.Time
		every    time.Duration
	}{
		"eight at once":             {at(15, 15, 15, 15, 15, 15, 15, 15), 100 * time.Second},
		"eight at two times":        {at(15, 15, 15, 15, 15, 17.5, 17.5, 17.5), 200 * time.Second},
		"eight at four times":       {at(12.5, 15, 15, 15, 15, 15, 17.5, 20), 400 * time.Second},
		"eight, one after another":  {at(9, 11, 13, 15, 17, 19, 20, 21), 550 * time.Second},
		"four, one after the other": {at(13, 15.25, 17.5, 20), 330 * time.Second},
	} {
		f := reckoning(freeKey).Day(c.kickoffs, day, freePlan.DayLimit, freePlan.MinuteLimit)
		require.Equal(t, c.every, f.Usual, name)
		require.Zero(t, f.Unseen, name)
	}
}
