package monitor_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
)

// cycle polls and decides as the workflow does, and reports what was asked.
func (b *bench) cycle(n int, distrusted bool, ids ...int64) monitor.PollResult {
	b.t.Helper()
	b.now = b.now.Add(30 * time.Second)
	poll := fmt.Sprintf("poll-%d", n)
	p, err := b.poll(poll, ids...)
	if err != nil {
		p = monitor.PollResult{}
		for _, id := range ids {
			p.Failed = append(p.Failed, monitor.Failure{ID: id, Why: err.Error()})
		}
	}
	d := monitor.DecideInput{Poll: poll, Changed: p.Changed, Regressed: p.Regressed, Failed: p.Failed, Distrusted: distrusted}
	if len(d.Changed)+len(d.Failed) > 0 {
		b.decide(d)
	}
	return p
}

func TestAnHourOfFailedPollsIsOneRowAndItsEndAnother(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.add(footy.StageActive, match(1, 1))
	b.feed.list(match(1, 1))
	for n := range 4 {
		b.cycle(n, false, 1)
	}
	b.feed.err = footy.Errorf(footy.CodeUnavailable, "ask", "HTTP 503")
	for n := range 120 {
		b.cycle(100+n, false, 1)
	}
	failed := b.rows(1, footy.EntryPollFailed)
	require.Len(t, failed, 1)
	require.Contains(t, failed[0].Data.Why, "HTTP 503")
	b.feed.err = nil
	for n := range 4 {
		b.cycle(300+n, false, 1)
	}
	again := b.rows(1, footy.EntryTrusted)
	require.Len(t, again, 1)
	require.InDelta(t, time.Hour.Seconds(), again[0].Data.Lasted, 0)
	f, err := b.store.Fixture(t.Context(), 1)
	require.NoError(t, err)
	require.Nil(t, f.Trouble)
	require.Len(t, f.Events, 1)
	require.True(t, f.Events[0].Certain())

	b.feed.err = footy.Errorf(footy.CodeUnavailable, "ask", "HTTP 502")
	b.cycle(400, false, 1)
	require.Len(t, b.rows(1, footy.EntryPollFailed), 2, "the next trouble is told too")
	b.feed.err = nil
	b.cycle(401, false, 1)
	require.Len(t, b.rows(1, footy.EntryTrusted), 1, "a single failed poll is not worth a second row")
}

func TestAnHourOfRegressedAnswersIsOneRow(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.add(footy.StageActive, match(1, 2))
	b.feed.list(match(1, 2))
	for n := range 4 {
		b.cycle(n, false, 1)
	}
	gone := match(1, 0)
	gone.Match.Status.Code = "NS"
	b.feed.list(gone)
	for n := range 120 {
		require.Equal(t, []int64{1}, b.cycle(100+n, true, 1).Regressed)
	}
	require.Len(t, b.rows(1, footy.EntryDistrusted), 1)
	require.Len(t, b.rows(1, footy.EntryWithheld), 2, "one for each goal")
	b.feed.list(match(1, 2))
	for n := range 3 {
		b.cycle(300+n, false, 1)
	}
	require.Len(t, b.rows(1, footy.EntryTrusted), 1)
	require.Empty(t, b.rows(1, footy.EntryRemoved))
	f, err := b.store.Fixture(t.Context(), 1)
	require.NoError(t, err)
	for _, e := range f.Events {
		require.True(t, e.Standing())
		require.Empty(t, e.Withheld)
	}
}

func TestUnlistedGoalIsDoubtedOnceAndTellsNobodyTwice(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.add(footy.StageActive, match(1, 2))
	b.feed.list(match(1, 2))
	for n := range 4 {
		b.cycle(n, false, 1)
	}
	omitted := match(1, 2)
	omitted.Events = omitted.Events[:1]
	b.feed.list(omitted)
	b.cycle(10, false, 1)
	told, before := b.told, b.revision()
	for n := range 50 {
		b.cycle(100+n, false, 1)
	}
	require.Len(t, b.rows(1, footy.EntryWithheld), 1)
	require.Equal(t, told, b.told, "nothing changed, nobody is told")
	require.Equal(t, before, b.revision(), "and nothing is written")
	b.feed.list(match(1, 2))
	b.cycle(200, false, 1)
	b.feed.list(omitted)
	b.cycle(201, false, 1)
	require.Len(t, b.rows(1, footy.EntryWithheld), 2, "a later omission is told again")
}

func (b *bench) revision() int64 {
	b.t.Helper()
	f, err := b.store.Fixture(b.t.Context(), 1)
	require.NoError(b.t, err)
	return f.Revision
}

func TestQuietCycleDecidesNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	early := match(2, 0) // about to begin
	early.Match.Status, early.Match.Kickoff, early.Score = footy.Status{Code: "NS"}, b.now.Add(20*time.Minute), footy.Score{}
	b.add(footy.StageActive, match(1, 2))
	b.add(footy.StageActive, early)
	b.feed.list(match(1, 2), early)
	for n := range 5 {
		b.cycle(n, false, 1, 2)
	}
	told := b.told
	require.Empty(t, b.cycle(50, false, 1, 2).Changed)
	require.Equal(t, told, b.told)
}

func TestFixtureTheVendorForgotIsAskedOncePerSlot(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.add(footy.StageActive, match(1, 0))
	later := match(2, 0)
	later.Match.Status, later.Match.Kickoff = footy.Status{Code: "NS"}, kickoff.AddDate(0, 2, 0)
	b.add(footy.StageStaging, later)
	b.feed.list()
	asked := map[int64]int{}
	for n := range 8 * 120 {
		poll := fmt.Sprintf("poll-%d", n)
		for _, c := range b.plan(poll).Calls {
			p, err := b.poll(poll, c.IDs...)
			require.NoError(t, err)
			require.Len(t, p.Failed, len(c.IDs))
			b.decide(monitor.DecideInput{Poll: poll, Failed: p.Failed})
			for _, id := range c.IDs {
				asked[id]++
			}
		}
		b.now = b.now.Add(30 * time.Second)
	}
	require.LessOrEqual(t, asked[2], 8*4+1)
	require.Less(t, asked[1], 8*120/2, "not every 30 s for two weeks")
	fixtures, err := b.store.List(t.Context(), store.FixtureQuery{})
	require.NoError(t, err)
	require.Len(t, fixtures, 2, "and it stays, in case it comes back")
}
