package lifecycle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/found-footy/found-footy/internal/decide/match/calls"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
)

func demand(live, staging int) lifecycle.Demand {
	return lifecycle.Demand{Live: live, Staging: staging, AtOnce: 3, Cycle: 30 * time.Second, Slot: 15 * time.Minute, Minute: time.Minute}
}

// govern is the pace of a day that begins.
func govern(q lifecycle.Quota, d lifecycle.Demand) lifecycle.Pace {
	return lifecycle.Govern(q, d, lifecycle.Pace{})
}

// reckoning is how calls are reckoned with on a plan.
func reckoning(can calls.Can) lifecycle.Reckoning {
	return lifecycle.Reckoning{Windows: w, Cycle: 30 * time.Second, Minute: time.Minute, Together: 20, Can: can}
}

var (
	paid     = calls.Can{IDs: true, Live: true}
	freeKey  = calls.Can{Live: true}
	onlyByID = calls.Can{IDs: true}
)

func quota(limit, left int) lifecycle.Quota {
	return lifecycle.Quota{DayLimit: limit, DayRemaining: left, MinuteLimit: -1, MinuteRemaining: -1}
}

var noon = time.Date(2026, 3, 7, 12, 0, 0, 0, time.UTC)

func TestGovernorStretchesStagingFirst(t *testing.T) {
	t.Parallel()
	full := govern(quota(7500, 7000), demand(3600, 96))
	require.Equal(t, lifecycle.Pace{Staging: 1, Live: 1}, full, "a paid plan carries a Saturday")
	tight := govern(quota(7500, 4300), demand(3600, 480))
	require.Greater(t, tight.Staging, 1)
	require.Equal(t, 1, tight.Live)
	require.Equal(t, 30*time.Second, tight.LiveEvery)
	free := govern(quota(100, 90), demand(480, 48))
	require.Equal(t, 8, free.Staging)
	require.Greater(t, free.Live, 1)
	require.Equal(t, 2*time.Hour, free.StagingEvery)
}

func TestGovernorWithNoCallsLeftStillAsksNowAndThen(t *testing.T) {
	t.Parallel()
	require.Equal(t, 20, govern(quota(100, 0), demand(120, 4)).Live, "else nobody would learn of the new day's calls")
}

func TestGovernorDoesNotGuess(t *testing.T) {
	t.Parallel()
	require.Equal(t, lifecycle.Pace{Staging: 1, Live: 1}, govern(quota(-1, -1), demand(60000, 2400)))
}

func TestThePaceDoesNotChangeWithEveryCall(t *testing.T) {
	t.Parallel()
	at := func(live, was int) int {
		return lifecycle.Govern(quota(100, 100), demand(live, 0), lifecycle.Pace{Live: was}).Live
	}
	require.Equal(t, 8, at(750, 0))
	require.Equal(t, 10, at(750, 10), "a little faster is not worth a change")
	require.Equal(t, 8, at(750, 6), "slower is")
	require.Equal(t, 8, at(750, 12), "and much faster")
	require.Equal(t, 1, at(50, 2), "and full pace")
}

func TestGovernorMindsTheMinute(t *testing.T) {
	t.Parallel()
	q, d := quota(100000, 100000), demand(1440, 4)
	q.MinuteLimit, d.AtOnce = 10, 12
	p := govern(q, d)
	require.Equal(t, 3, p.Live)
	require.Equal(t, 10, p.MinuteLimit)
}

func TestGovernorKeepsWithinTheDay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		left := rapid.IntRange(0, 8000).Draw(rt, "left")
		d := demand(rapid.IntRange(0, 14400).Draw(rt, "live"), rapid.IntRange(0, 480).Draw(rt, "staging"))
		p := govern(quota(7500, left), d)
		cost := float64(d.Live)/float64(p.Live) + float64(d.Staging)/float64(p.Staging)
		require.True(rt, cost <= float64(left) || p.Live == 20 || d.Live == 0, "%+v costs %.0f of %d", p, cost, left)
		require.Equal(rt, p.Staging > 1 || p.Live > 1, p.LiveEvery != 0, "a stretched pace says so")
	})
}

func TestWhatMayBeAskedNow(t *testing.T) {
	t.Parallel()
	d, p := demand(200, 0), lifecycle.Pace{Staging: 1, Live: 4}
	q := lifecycle.Quota{DayLimit: 100, DayRemaining: 80, MinuteLimit: 10, MinuteRemaining: 7}
	require.Equal(t, calls.Budget{Now: 6, Apart: -1}, lifecycle.Allowance(q, d, p), "one call of the minute is for others")
	d.Single = true
	require.Equal(t, calls.Budget{Now: 6, Apart: 25}, lifecycle.Allowance(q, d, p), "80 - 5 kept back - 50 for the list")
	q.DayRemaining = 20
	require.Equal(t, calls.Budget{Now: 6, Apart: 0}, lifecycle.Allowance(q, d, p))
	q.DayRemaining, q.MinuteRemaining = 0, -1
	require.Equal(t, calls.Budget{Now: 1, Apart: 0}, lifecycle.Allowance(q, d, p), "else nobody would learn that there are calls again")
	q.MinuteRemaining = 0
	require.Zero(t, lifecycle.Allowance(q, d, p).Now, "the minute is over soon")
	require.Equal(t, calls.Budget{Now: -1, Apart: -1}, lifecycle.Allowance(quota(-1, -1), d, p), "nobody told a limit")
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
	ahead := func(can calls.Can, n int) lifecycle.Demand {
		many := make([]time.Time, n)
		for i := range many {
			many[i] = noon
		}
		return reckoning(can).Ahead(many, day, lifecycle.Midnight(day))
	}
	none := ahead(paid, 0)
	require.Zero(t, none.Live+none.Staging+none.Fixed)
	one := ahead(paid, 1)
	require.Equal(t, 10, one.Staging, "slots of waiting, from three hours before the kickoff on")
	require.Equal(t, 11*30, one.Live, "eleven slots of thirty cycles")
	require.Equal(t, 2*one.Live, ahead(onlyByID, 21).Live)
	require.Equal(t, one.Live+40, ahead(paid, 21).Live, "one list until they are over; then they share two calls")
	free := ahead(freeKey, 5)
	require.Equal(t, 2*115, free.Live, "one call a cycle while they are under way, none before")
	require.Zero(t, free.Staging)
	require.Equal(t, 12, free.Fixed, "each when it ends, and once more")
	require.True(t, free.Single)
}
