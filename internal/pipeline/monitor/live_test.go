package monitor_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/decide/match/calls"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/stretchr/testify/require"
)

// free makes the vendor refuse what it refuses to free keys; calls there are enough, so that the pace is full.
func (b *bench) free() {
	b.feed.free = true
	b.allows(7500, 7500)
}

// whole runs one cycle as the workflow does, and returns what was decided on and what failed.
func (b *bench) whole(poll string) (d monitor.DecideInput) {
	b.t.Helper()
	d.Poll = poll
	plan := b.plan(poll)
	var round []monitor.Chunk
	for _, c := range plan.Calls {
		round = append(round, monitor.Chunk{Poll: poll, Call: c, Spare: plan.Spare})
	}
	for rounds := 0; len(round) > 0; rounds++ {
		require.Less(b.t, rounds, 4, "they end")
		var next []monitor.Chunk
		for _, c := range round {
			p, err := b.call(c)
			if err != nil {
				for _, id := range c.IDs {
					d.Failed = append(d.Failed, monitor.Failure{ID: id, Why: err.Error()})
				}
			}
			d.Changed = append(d.Changed, p.Changed...)
			d.Regressed = append(d.Regressed, p.Regressed...)
			d.Failed = append(d.Failed, p.Failed...)
			next = append(next, p.Again...)
		}
		round = next
	}
	if len(d.Changed)+len(d.Failed) > 0 {
		b.decide(d)
	}
	return d
}

func (b *bench) fixture(id int64) footy.Fixture {
	b.t.Helper()
	f, err := b.store.Fixture(b.t.Context(), id)
	require.NoError(b.t, err)
	return f
}

func (b *bench) asked() []string {
	out := b.feed.asked
	b.feed.asked = nil
	return out
}

func (b *bench) learned() calls.Plan {
	b.t.Helper()
	p, err := monitor.Learned(b.t.Context(), b.store)
	require.NoError(b.t, err)
	return p
}

func TestAFreeKeyIsLearnedInItsFirstCycleAndSeesTheMatches(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.free()
	var list []footy.Snapshot
	for id := range int64(5) {
		b.add(footy.StageActive, match(id+1, 1))
		list = append(list, match(id+1, 1))
	}
	b.feed.list(list...)
	d := b.whole("p1")
	require.Equal(t, []string{"ids 5", "live 0"}, b.asked(), "refused, and asked another way at once")
	require.Len(t, d.Changed, 5)
	require.Empty(t, d.Failed)
	require.True(t, b.learned().Refused(calls.IDs))
	require.Zero(t, b.outage())
	for n := range 2 {
		b.now = b.now.Add(30 * time.Second)
		b.whole(fmt.Sprintf("p%d", n+2))
	}
	require.Equal(t, []string{"live 0", "live 0"}, b.asked(), "nothing is tried twice a day")
	require.True(t, b.fixture(3).Events[0].Certain(), "three lists are three polls")

	b.now = b.now.Add(24 * time.Hour)
	b.feed.free = false // a larger plan
	b.allows(7500, 7500)
	b.whole("later")
	require.Equal(t, []string{"ids 5"}, b.asked())
	require.False(t, b.learned().Refused(calls.IDs))
}

func TestAPlanThatGetsSmallerIsLearnedAtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.add(footy.StageActive, match(1, 0))
	b.add(footy.StageActive, match(2, 0))
	b.feed.list(match(1, 0), match(2, 0))
	b.whole("p1")
	require.False(t, b.learned().Refused(calls.IDs))
	b.free()
	b.now = b.now.Add(30 * time.Second)
	require.Empty(t, b.whole("p2").Failed)
	require.Equal(t, []string{"ids 2", "ids 2", "live 0"}, b.asked())
}

func TestWaitingMatchesCostAFreeKeyNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.free()
	for id := range int64(8) {
		later := match(id+1, 0)
		later.Match.Kickoff, later.Match.Status = b.now.Add(5*time.Hour), footy.Status{Code: "NS"}
		b.add(footy.StageStaging, later)
	}
	b.feed.list()
	b.whole("p1")
	for n := range 50 {
		b.now = b.now.Add(15 * time.Minute)
		if b.now.After(kickoff.Add(5 * time.Hour)) {
			break
		}
		b.whole(fmt.Sprint("q", n))
	}
	require.Equal(t, []string{"ids 8"}, b.asked(), "but for the one that told so")
}

// TestAMatchMissingFromTheListIsAskedByItsID: absent is never a vote and never an end.
func TestAMatchMissingFromTheListIsAskedByItsID(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.free()
	var list []footy.Snapshot
	for id := range int64(3) {
		b.add(footy.StageActive, match(id+1, 1))
		list = append(list, match(id+1, 1))
	}
	b.feed.list(list...)
	for n := range 4 {
		b.now = b.now.Add(30 * time.Second)
		b.whole(fmt.Sprint("p", n))
	}
	b.asked()
	b.feed.gone = map[int64]bool{2: true}
	b.now = b.now.Add(30 * time.Second)
	require.Empty(t, b.whole("gone").Changed, "it is as it was")
	require.Equal(t, []string{"live 0", "id 2"}, b.asked())
	require.Empty(t, b.fixture(2).Events[0].AbsentPolls)

	over := match(2, 1)
	over.Match.Status = footy.Status{Code: "FT"}
	b.feed.list(list[0], over, list[2])
	b.now = b.now.Add(30 * time.Second)
	require.Equal(t, []int64{2}, b.whole("over").Changed)
	require.Equal(t, []string{"live 0", "id 2"}, b.asked())
	require.Equal(t, "FT", b.fixture(2).Match.Status.Code)
	b.now = b.now.Add(30 * time.Second)
	b.whole("after")
	require.Equal(t, []string{"live 0"}, b.asked(), "then once a slot")
}

func TestAMatchThatTheListOmitsAndThatCannotBeAskedIsLeftAlone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.add(footy.StageActive, match(1, 1))
	b.add(footy.StageActive, match(2, 1))
	b.feed.list(match(1, 1), match(2, 1))
	for n := range 4 {
		b.now = b.now.Add(30 * time.Second)
		b.whole(fmt.Sprint("p", n))
	}
	b.feed.gone = map[int64]bool{2: true}
	p, err := b.call(monitor.Chunk{Poll: "list", Call: calls.Call{Kind: calls.Live, IDs: []int64{1, 2}}, Spare: 0})
	require.NoError(t, err)
	require.Equal(t, monitor.PollResult{Answered: 1}, p, "no calls are left: nothing is said of it")
	p, err = b.call(monitor.Chunk{Poll: "list", Call: calls.Call{Kind: calls.Live, IDs: []int64{1}, Watch: []int64{2}}, Spare: 5})
	require.NoError(t, err)
	require.Empty(t, p.Again, "one that may not have begun is not missed")
}

func TestAListThatTakesBackIsConfirmedFirst(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.free()
	b.add(footy.StageActive, match(1, 2))
	b.add(footy.StageActive, match(2, 1))
	b.feed.list(match(1, 2), match(2, 1))
	for n := range 4 {
		b.now = b.now.Add(30 * time.Second)
		b.whole(fmt.Sprint("p", n))
	}
	b.asked()
	silent := match(2, 1)
	silent.HasEvents = false // in the list; by its id it has events
	for name, list := range map[string][]footy.Snapshot{
		"p-less":   {match(1, 1), match(2, 1)},
		"p-silent": {match(1, 1), silent},
	} {
		b.feed.list(list...)
		b.now = b.now.Add(30 * time.Second)
		require.Empty(t, b.whole(name).Failed, name)
		require.Equal(t, "live 0", b.asked()[0], name)
	}
	require.Len(t, b.fixture(1).Events[1].AbsentPolls, 2, "asked by its id it said the same")
	require.Empty(t, b.fixture(2).Events[0].AbsentPolls)
}

func TestAFailedListIsAFailedPollForItsMatches(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.free()
	b.add(footy.StageActive, match(1, 1))
	b.add(footy.StageActive, match(2, 1))
	soon := match(3, 0)
	soon.Match.Status, soon.Match.Kickoff = footy.Status{Code: "NS"}, b.now.Add(-5*time.Minute)
	b.add(footy.StageActive, soon)
	b.feed.list(match(1, 1), match(2, 1))
	b.whole("p0")
	b.feed.err = footy.Errorf(footy.CodeUnavailable, "ask", "HTTP 503")
	b.now = b.now.Add(30 * time.Second)
	d := b.whole("p1")
	require.Len(t, d.Failed, 2, "nothing was expected of the third")
	require.Len(t, b.rows(1, footy.EntryPollFailed), 1)
	require.Empty(t, b.rows(3, footy.EntryPollFailed))
}

func TestEarlyInTheListIsWelcome(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.free()
	b.add(footy.StageActive, match(1, 0))
	b.add(footy.StageActive, match(2, 0))
	soon := match(3, 0)
	soon.Match.Status, soon.Match.Kickoff = footy.Status{Code: "NS"}, b.now.Add(-time.Minute)
	b.add(footy.StageActive, soon)
	b.feed.list(match(1, 0), match(2, 0), soon)
	b.whole("p0")
	b.asked()
	begun := soon
	begun.Match.Status = match(3, 0).Match.Status
	b.feed.list(match(1, 0), match(2, 0), begun)
	b.now = b.now.Add(30 * time.Second)
	require.Contains(t, b.whole("p1").Changed, int64(3))
	require.Equal(t, []string{"live 0"}, b.asked())
	require.True(t, b.fixture(3).Match.Status.InPlay())
}

func TestAPlanThatAllowsNoPollIsToldAsAnOutage(t *testing.T) {
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

func TestTheAccountIsAskedOnceADay(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.add(footy.StageActive, match(1, 0))
	b.feed.list(match(1, 0))
	b.feed.account = feed.Account{Plan: "Free", DayLimit: 100, Used: 3}
	for n := range 100 {
		b.now = b.now.Add(30 * time.Second)
		b.allows(100, 90)
		b.plan(fmt.Sprint("p", n))
	}
	require.Equal(t, 1, b.feed.told)
	require.Equal(t, "Free", b.learned().Name)
	require.Equal(t, 100, b.learned().DayLimit)
	b.now = b.now.Add(24 * time.Hour)
	b.allows(7500, 7000)
	b.feed.account = feed.Account{Plan: "Pro", DayLimit: 7500}
	b.plan("next day")
	require.Equal(t, "Pro", b.learned().Name)
}
