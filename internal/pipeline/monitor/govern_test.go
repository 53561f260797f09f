package monitor_test

import (
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"
)

func (b *bench) pace() monitor.Pace {
	b.t.Helper()
	var p monitor.Pace
	if err := b.store.State(b.t.Context(), monitor.PaceKey, &p); !footy.IsNotFound(err) {
		require.NoError(b.t, err)
	}
	return p
}

func (b *bench) allows(limit, left int) {
	b.feed.quota = feed.Quota{DayLimit: limit, DayRemaining: left, MinuteLimit: -1, MinuteRemaining: -1, At: b.now}
}

func TestFullPaceIsNotWrittenDown(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.add(footy.StageActive, match(1, 0))
	b.plan("p1")
	b.allows(7500, 7000)
	require.Len(t, b.plan("p2").Calls, 1)
	require.Zero(t, b.pace())
}

func TestLivePollsAreStretchedWhenThePlanIsShort(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.add(footy.StageActive, match(1, 0))
	asked := 0
	began := b.now
	for range 120 {
		b.allows(100, 40-asked)
		asked += len(b.plan("p").Calls)
		b.now = b.now.Add(30 * time.Second)
	}
	p := b.pace()
	require.Greater(t, p.Live, 1)
	require.Positive(t, p.LiveEvery)
	require.True(t, p.Since.Equal(began), "it says since when")
	require.LessOrEqual(t, asked, 40)
	require.Positive(t, asked)

	b.now = b.now.Add(11 * time.Hour) // after midnight UTC the calls are back
	b.plan("p")
	require.Equal(t, 1, b.pace().Live)
	require.Zero(t, b.pace().Since)
}

func TestStagingPollsAreStretchedBeforeLiveOnes(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.now = kickoff.Truncate(24 * time.Hour).Add(22 * time.Hour)
	playing, later := match(1, 0), match(2, 0)
	playing.Match.Kickoff = b.now.Add(-30 * time.Minute)
	b.add(footy.StageActive, playing)
	later.Match.Kickoff, later.Match.Status = b.now.Add(155*time.Minute), footy.Status{Code: "NS"} // after midnight, of whose calls it is
	b.add(footy.StageStaging, later)
	left := 588 // of which a twentieth of the plan is kept back
	live, staging, slowest := 0, 0, 0
	for range 120 {
		b.allows(7500, left)
		for _, c := range b.plan("p").Calls {
			left--
			for _, id := range c.IDs {
				if id == 1 {
					live++
					continue
				}
				staging++
				_, err := b.store.Update(t.Context(), 2, func(f *footy.Fixture) ([]footy.Entry, error) { f.LastMonitor = b.now; return nil, nil })
				require.NoError(t, err)
			}
		}
		slowest = max(slowest, b.pace().Staging)
		require.LessOrEqual(t, b.pace().Live, 1)
		b.now = b.now.Add(30 * time.Second)
	}
	require.Greater(t, slowest, 1)
	require.Equal(t, 120, live, "each cycle")
	require.Less(t, staging, 5, "not each quarter of an hour")
	require.Positive(t, staging)
}

func TestWorkersShareWhatTheVendorSaid(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.add(footy.StageActive, match(1, 0))
	b.feed.list(match(1, 0))
	b.allows(100, 3)
	_, err := b.poll("p1", 1)
	require.NoError(t, err)
	b.feed.quota = feed.Quota{DayLimit: -1, DayRemaining: -1} // another process: its own feed was told nothing yet
	q, err := monitor.Quota(t.Context(), b.store, b.feed.Quota(), b.now)
	require.NoError(t, err)
	require.Equal(t, 3, q.DayRemaining)
	b.plan("p2")
	require.Equal(t, 20, b.pace().Live)
}

func TestFailedAnswerStillTellsTheQuota(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.allows(100, 0)
	b.feed.err = &footy.Error{Code: footy.CodeRateLimited, Op: "ask", RetryAfter: time.Hour}
	_, err := b.poll("p1", 1)
	require.Error(t, err)
	var app *temporal.ApplicationError
	require.ErrorAs(t, err, &app)
	require.True(t, app.NonRetryable(), "the feed has tried as often as one cycle may")
	require.Equal(t, string(footy.CodeRateLimited), app.Type())
	q, err := monitor.Quota(t.Context(), b.store, feed.Quota{}, b.now)
	require.NoError(t, err)
	require.Zero(t, q.DayRemaining)
	require.False(t, q.At.IsZero())
}
