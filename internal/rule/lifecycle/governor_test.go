package lifecycle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/found-footy/found-footy/internal/rule/lifecycle"
)

func demand(live int, liveFor time.Duration, staging int) lifecycle.Demand {
	return lifecycle.Demand{LiveCalls: live, LiveFor: liveFor, StagingCalls: staging, Cycle: 30 * time.Second, Slot: 15 * time.Minute}
}

func quota(limit, left int) lifecycle.Quota {
	return lifecycle.Quota{DayLimit: limit, DayRemaining: left, MinuteLimit: -1, MinuteRemaining: -1}
}

var noon = time.Date(2026, 3, 7, 12, 0, 0, 0, time.UTC)

func TestGovernorStretchesStagingFirst(t *testing.T) {
	t.Parallel()
	full := lifecycle.Govern(quota(7500, 7000), demand(3, 10*time.Hour, 2), noon)
	require.Equal(t, lifecycle.Pace{Staging: 1, Live: 1}, full, "a paid plan carries a Saturday")
	tight := lifecycle.Govern(quota(7500, 4300), demand(3, 10*time.Hour, 10), noon)
	require.Greater(t, tight.Staging, 1)
	require.Equal(t, 1, tight.Live)
	require.NotEmpty(t, tight.Text)
	free := lifecycle.Govern(quota(100, 90), demand(1, 4*time.Hour, 1), noon)
	require.Equal(t, 8, free.Staging)
	require.Greater(t, free.Live, 1)
	require.Equal(t, lifecycle.Pace{Staging: 8, Live: 20}.Live, lifecycle.Govern(quota(100, 0), demand(1, time.Hour, 1), noon).Live)
}

func TestGovernorDoesNotGuess(t *testing.T) {
	t.Parallel()
	require.Equal(t, 1, lifecycle.Govern(quota(-1, -1), demand(50, 10*time.Hour, 50), noon).Live)
}

func TestGovernorMindsTheMinute(t *testing.T) {
	t.Parallel()
	q := quota(100000, 100000)
	q.MinuteLimit = 10
	p := lifecycle.Govern(q, demand(12, time.Hour, 1), noon)
	require.Equal(t, 3, p.Live)
}

func TestGovernorKeepsWithinTheDay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		left := rapid.IntRange(0, 8000).Draw(rt, "left")
		d := demand(rapid.IntRange(0, 10).Draw(rt, "live"), time.Duration(rapid.IntRange(0, 12).Draw(rt, "hours"))*time.Hour, rapid.IntRange(0, 10).Draw(rt, "staging"))
		p := lifecycle.Govern(quota(7500, left), d, noon)
		cost := float64(d.LiveCalls)*float64(d.LiveFor/d.Cycle)/float64(p.Live) + float64(d.StagingCalls)*float64(12*time.Hour/d.Slot)/float64(p.Staging)
		require.True(rt, cost <= float64(left) || p.Live == 20 || d.LiveCalls == 0, "%+v costs %.0f of %d", p, cost, left)
	})
}

func TestTurnIsOneInSoMany(t *testing.T) {
	t.Parallel()
	turns := 0
	for i := range 100 {
		if lifecycle.Turn(noon.Add(time.Duration(i)*30*time.Second), 30*time.Second, 5) {
			turns++
		}
	}
	require.Equal(t, 20, turns)
	require.True(t, lifecycle.Turn(noon, 30*time.Second, 1))
}

func TestDayCalls(t *testing.T) {
	t.Parallel()
	require.Zero(t, lifecycle.DayCalls(nil, w, 30*time.Second, 20))
	one := lifecycle.DayCalls([]time.Time{noon}, w, 30*time.Second, 20)
	require.Equal(t, 46+11*30, one, "46 slots of waiting, eleven slots of thirty cycles")
	many := make([]time.Time, 21)
	for i := range many {
		many[i] = noon
	}
	require.Equal(t, 2*one, lifecycle.DayCalls(many, w, 30*time.Second, 20))
}
