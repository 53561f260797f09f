package monitor_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
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

func TestPollsAreSpreadWhereThePlanIsShort(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.add(footy.StageActive, match(1, 0))
	asked := 0
	began := b.now
	for range 240 {
		b.allows(100, 40-asked)
		asked += len(b.plan("p").Calls)
		b.now = b.now.Add(30 * time.Second)
	}
	p := b.pace()
	require.Greater(t, p.Every, 10*time.Minute)
	require.True(t, p.Since.Equal(began), "it says since when")
	require.InDelta(t, 10, asked, 2, "forty calls in eight hours")

	b.now = b.now.Add(10 * time.Hour) // after midnight UTC the calls are back
	b.allows(7500, 7500)
	require.Len(t, b.plan("p").Calls, 1)
	require.Zero(t, b.pace().Every)
}

// TestACompressedEveningIsPlayedToItsEnd: a demo that begins shortly before midnight UTC has no more calls than one at noon.
func TestACompressedEveningIsPlayedToItsEnd(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.acts.Cycle, b.acts.Rules.Votes.Minute = time.Second, 2*time.Second
	b.now = time.Date(2026, 3, 7, 23, 52, 0, 0, time.UTC)
	b.add(footy.StageActive, match(1, 0))
	asked := 0
	for range 5 * 60 { // two and a half hours of play
		b.allows(100, 100-asked)
		asked += len(b.plan("p").Calls)
		b.now = b.now.Add(time.Second)
	}
	require.Less(t, asked, 50, "most of the day's calls are left")
	require.Greater(t, asked, 10)
}

func TestAPlanThatAllowsNoPollIsAnOutage(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.add(footy.StageActive, match(1, 0))
	b.feed.err = footy.Errorf(footy.CodeNotInPlan, "ask feed", "plan: your subscription has ended")
	for n := range 6 {
		b.now = b.now.Add(30 * time.Second)
		b.whole(fmt.Sprint("p", n))
	}
	require.Equal(t, footy.CodeNotInPlan, b.outage().Code)
}

func TestTheAccountIsAskedWhereNoAnswerTells(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.add(footy.StageActive, match(1, 0))
	b.allows(100, 90)
	b.plan("p1")
	require.Zero(t, b.feed.told)
	for n := range 50 {
		b.now = b.now.Add(time.Minute)
		b.plan(fmt.Sprint("q", n))
	}
	require.Equal(t, 5, b.feed.told, "every ten minutes")
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
	require.Greater(t, b.pace().Every, time.Hour)
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

func TestNothingLiveEndsTheStretchedPace(t *testing.T) {
	t.Parallel()
	for name, left := range map[string]func(*bench){
		"no match is open": func(*bench) {},
		"one waits for its day": func(b *bench) {
			later := match(2, 0)
			later.Match.Status, later.Match.Kickoff = footy.Status{Code: "NS"}, b.now.AddDate(0, 0, 2)
			b.add(footy.StageStaging, later)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.add(footy.StageActive, match(1, 0))
			left(b)
			b.allows(100, 4)
			b.plan("p1")
			stretched := b.pace()
			require.Greater(t, stretched.Every, time.Hour)
			_, err := b.store.Update(t.Context(), 1, func(f *footy.Fixture) ([]footy.Entry, error) { f.Stage = footy.StageCompleted; return nil, nil })
			require.NoError(t, err)
			b.plan("p2")
			require.Zero(t, b.pace().Every, "Health must not call it stretched")
			require.Zero(t, b.pace().Since)
			require.True(t, b.pace().Asked.Equal(stretched.Asked), "the next live match waits as long as the calls left demand")
			counted := &faulty{Store: b.store}
			b.acts.Store = counted
			b.plan("p3")
			require.Zero(t, counted.put, "written once, not in each cycle")
			b.add(footy.StageActive, match(3, 0))
			for _, c := range b.plan("p4").Calls {
				require.NotContains(t, c.IDs, int64(3))
			}
		})
	}
}
