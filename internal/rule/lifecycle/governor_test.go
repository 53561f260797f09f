package lifecycle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/found-footy/found-footy/internal/rule/lifecycle"
)

func demand(live, staging int) lifecycle.Demand {
	return lifecycle.Demand{Live: live, Staging: staging, AtOnce: 3, Cycle: 30 * time.Second, Slot: 15 * time.Minute}
}

func quota(limit, left int) lifecycle.Quota {
	return lifecycle.Quota{DayLimit: limit, DayRemaining: left, MinuteLimit: -1, MinuteRemaining: -1}
}

var noon = time.Date(2026, 3, 7, 12, 0, 0, 0, time.UTC)

func TestGovernorStretchesStagingFirst(t *testing.T) {
	t.Parallel()
	full := lifecycle.Govern(quota(7500, 7000), demand(3600, 96))
	require.Equal(t, lifecycle.Pace{Staging: 1, Live: 1}, full, "a paid plan carries a Saturday")
	tight := lifecycle.Govern(quota(7500, 4300), demand(3600, 480))
	require.Greater(t, tight.Staging, 1)
	require.Equal(t, 1, tight.Live)
	require.Equal(t, 30*time.Second, tight.LiveEvery)
	free := lifecycle.Govern(quota(100, 90), demand(480, 48))
	require.Equal(t, 8, free.Staging)
	require.Greater(t, free.Live, 1)
	require.Equal(t, 2*time.Hour, free.StagingEvery)
}

func TestGovernorWithNoCallsLeftStillAsksNowAndThen(t *testing.T) {
	t.Parallel()
	require.Equal(t, 20, lifecycle.Govern(quota(100, 0), demand(120, 4)).Live, "else nobody would learn of the new day's calls")
}

func TestGovernorDoesNotGuess(t *testing.T) {
	t.Parallel()
	require.Equal(t, lifecycle.Pace{Staging: 1, Live: 1}, lifecycle.Govern(quota(-1, -1), demand(60000, 2400)))
}

func TestGovernorMindsTheMinute(t *testing.T) {
	t.Parallel()
	q, d := quota(100000, 100000), demand(1440, 4)
	q.MinuteLimit, d.AtOnce = 10, 12
	p := lifecycle.Govern(q, d)
	require.Equal(t, 3, p.Live)
	require.Equal(t, 10, p.MinuteLimit)
}

func TestGovernorKeepsWithinTheDay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		left := rapid.IntRange(0, 8000).Draw(rt, "left")
		d := demand(rapid.IntRange(0, 14400).Draw(rt, "live"), rapid.IntRange(0, 480).Draw(rt, "staging"))
		p := lifecycle.Govern(quota(7500, left), d)
		cost := float64(d.Live)/float64(p.Live) + float64(d.Staging)/float64(p.Staging)
		require.True(rt, cost <= float64(left) || p.Live == 20 || d.Live == 0, "%+v costs %.0f of %d", p, cost, left)
		require.Equal(rt, p.Staging > 1 || p.Live > 1, p.LiveEvery != 0, "a stretched pace says so")
	})
}

// TestGovernedDayLastsUntilMidnight plays a whole day of the free plan: what was left is looked at each cycle, as Monitor does.
func TestGovernedDayLastsUntilMidnight(t *testing.T) {
	t.Parallel()
	for limit, matches := range map[int]int{100: 6, 1500: 90} {
		left, asked, refused := limit, 0, 0
		day := noon.Truncate(24 * time.Hour)
		var kickoffs []time.Time
		for i := range matches {
			kickoffs = append(kickoffs, day.Add(12*time.Hour+time.Duration(i%5)*2*time.Hour))
		}
		for at := day; at.Before(day.Add(24 * time.Hour)); at = at.Add(30 * time.Second) {
			live, staging := lifecycle.Ahead(kickoffs, at, lifecycle.Midnight(at), w, 30*time.Second, 20)
			active, waiting := 0, 0
			for _, k := range kickoffs {
				switch {
				case at.Before(k.Add(-w.PreActivate)):
					waiting++
				case at.Before(k.Add(w.Played)):
					active++
				}
			}
			p := lifecycle.Govern(quota(limit, left), lifecycle.Demand{Live: live, Staging: staging, AtOnce: (active + 19) / 20, Cycle: 30 * time.Second, Slot: w.StagingSlot})
			calls := 0
			if lifecycle.Turn(at, 30*time.Second, p.Live) {
				calls = (active + 19) / 20
			}
			if at.Equal(at.Truncate(w.StagingSlot * time.Duration(p.Staging))) {
				calls += (waiting + 19) / 20
			}
			asked += calls
			refused += max(0, calls-left)
			left = max(0, left-calls)
		}
		require.Zero(t, refused, "plan of %d", limit)
		require.Greater(t, asked, limit/3, "and the plan of %d is used", limit)
	}
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

func TestAheadCountsCalls(t *testing.T) {
	t.Parallel()
	day := noon.Truncate(24 * time.Hour)
	live, staging := lifecycle.Ahead(nil, day, lifecycle.Midnight(day), w, 30*time.Second, 20)
	require.Zero(t, live+staging)
	live, staging = lifecycle.Ahead([]time.Time{noon}, day, lifecycle.Midnight(day), w, 30*time.Second, 20)
	require.Equal(t, 46, staging, "slots of waiting")
	require.Equal(t, 11*30, live, "eleven slots of thirty cycles")
	many := make([]time.Time, 21)
	for i := range many {
		many[i] = noon
	}
	twice, _ := lifecycle.Ahead(many, day, lifecycle.Midnight(day), w, 30*time.Second, 20)
	require.Equal(t, 2*live, twice)
}
