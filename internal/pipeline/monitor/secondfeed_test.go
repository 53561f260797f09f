package monitor_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/feed/apifootball"
	"github.com/found-footy/found-footy/internal/connect/feed/espn"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/decide/match/calls"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/world/day"
	"github.com/found-footy/found-footy/internal/world/script"
	"github.com/found-footy/found-footy/internal/world/serve/football"
	"github.com/stretchr/testify/require"
)

// beside is a second feed that says what a test wants.
type beside func(ctx context.Context) (feed.Answer, error)

func (b beside) Name() string { return "ESPN" }

func (b beside) Around(ctx context.Context, _ footy.League, _ time.Time) (feed.Answer, error) {
	return b(ctx)
}

// lists is an answer with ids of its own.
func lists(all ...footy.Snapshot) beside {
	return func(context.Context) (feed.Answer, error) {
		a := feed.Answer{}
		for _, s := range all {
			s.Match.ID += 1000
			a.Snapshots = append(a.Snapshots, s)
		}
		return a, nil
	}
}

// TestASecondFeedThatIsDownSlowOrWrongHarmsNoPoll: what came of it is kept beside the answer, and says nothing about goals.
func TestASecondFeedThatIsDownSlowOrWrongHarmsNoPoll(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	for name, c := range map[string]struct {
		second beside
		want   footy.SecondState
		why    string
	}{
		"down": {func(context.Context) (feed.Answer, error) {
			return feed.Answer{}, footy.Errorf(footy.CodeUnavailable, "ask ESPN", "HTTP 502")
		}, footy.SecondUnreachable, "HTTP 502"},
		"wrong": {func(context.Context) (feed.Answer, error) { panic("an odd answer") }, footy.SecondUnreachable, "an odd answer"},
		"slow":  {func(context.Context) (feed.Answer, error) { <-release; return feed.Answer{}, nil }, footy.SecondUnreachable, "no answer within 1ms"},
		"no such league": {func(context.Context) (feed.Answer, error) {
			return feed.Answer{}, footy.Errorf(footy.CodeNotFound, "ask ESPN", "no")
		}, footy.SecondNoMatch, ""},
		"no such match": {lists(), footy.SecondNoMatch, ""},
		"two such":      {lists(match(1, 1), match(1, 1)), footy.SecondAmbiguous, ""},
		"the match":     {lists(match(1, 0)), footy.SecondAnswered, ""},
		"cannot be read": {func(context.Context) (feed.Answer, error) {
			return feed.Answer{Failed: map[int64]string{7: "match without a status"}}, nil
		}, footy.SecondUnreachable, "match without a status"},
		"none was set up": {nil, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			if c.second != nil {
				b.acts.Second = c.second
			}
			if name == "slow" {
				b.acts.Patience = time.Millisecond
			}
			b.add(footy.StageActive, match(1, 0))
			b.feed.list(match(1, 1))
			for n := range 3 {
				require.Empty(t, b.cycle(n, false, 1).Failed)
			}
			e := b.fixture(1).Events[0]
			require.True(t, e.Certain(), "three polls of the feed in charge")
			require.Empty(t, e.AbsentPolls)
			last, err := b.store.LatestSnapshots(t.Context(), []int64{1})
			require.NoError(t, err)
			said := last[1].Snapshot.SecondFeed
			require.Equal(t, c.want == "", said == nil)
			if said != nil {
				require.Equal(t, c.want, said.State)
				require.Contains(t, said.Why, c.why)
			}
		})
	}
}

// TestAGoalOfTheSecondFeedIsLookedForAhead: and its posts wait for the goal that the feed in charge lists, or end with it.
func TestAGoalOfTheSecondFeedIsLookedForAhead(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.add(footy.StageActive, match(1, 0))
	look := func(poll string, ours, theirs int) monitor.Todo {
		b.now = b.now.Add(30 * time.Second)
		s := match(1, ours)
		s.Answered = b.now
		b.feed.list(s)
		b.acts.Second = lists(match(1, theirs))
		p, err := b.poll(poll, 1)
		require.NoError(t, err)
		d := monitor.DecideInput{Poll: poll, Changed: p.Changed}
		todo := b.decide(d)
		require.Equal(t, todo, b.decide(d), "Temporal tries it again")
		return todo
	}
	require.Empty(t, look("p0", 0, 0).Ahead)
	first := look("p1", 0, 1)
	require.Len(t, first.Ahead, 1)
	require.Equal(t, 1, first.Ahead[0].Sighting)
	require.Equal(t, []int64{1}, first.Voting, "the feed in charge is looked at again at once")
	require.Empty(t, first.Searches)
	require.Empty(t, b.fixture(1).Events)
	_, err := b.store.FixtureOfEvent(t.Context(), first.Ahead[0].EventUID)
	require.True(t, footy.IsNotFound(err), "nobody finds it")
	require.Len(t, b.rows(1, footy.EntrySecond), 1)

	require.Equal(t, 2, look("p2", 0, 1).Ahead[0].Sighting)
	listed := look("p3", 1, 1)
	require.Empty(t, listed.Ahead)
	require.Len(t, listed.Searches, 1, "both agree: it is certain at once")
	require.Equal(t, first.Ahead[0].EventUID, listed.Searches[0].EventUID)
	e := b.fixture(1).Events[0]
	require.Equal(t, []string{"p3"}, e.Votes)
	require.InDelta(t, 60, b.rows(1, footy.EntrySecond)[1].Data.Lead, 0)
}

// goalTimes is when a goal was told, looked for and certain.
type goalTimes struct{ told, ahead, certain time.Duration }

// playBeside plays an afternoon in which API-Football is late, through both adapters; only the clock is a test's.
func playBeside(t *testing.T, both bool) (goals map[string]goalTimes, toVendor, toSecond int, rows []footy.Entry) {
	t.Helper()
	b := newBench(t)
	midnight := time.Date(2026, 3, 7, 0, 0, 0, 0, time.UTC)
	b.now = midnight.Add(14*time.Hour + 30*time.Minute)
	clock := b.clock
	s := afternoon()
	for i := range s.Teams {
		s.Teams[i].Name = fmt.Sprintf("%c%s", 'A'+i, []string{"shford", "ramley"}[i%2])
	}
	for i := range s.Fixtures {
		if i != 1 { // of which a goal is taken back
			s.Fixtures[i].Events[0].Steps = nil
		}
	}
	require.NoError(t, s.With(script.LateFeed))
	today := day.ByClock(midnight, clock)
	world := football.New(s, today)
	vendor := httptest.NewServer(world)
	t.Cleanup(vendor.Close)
	var asked atomic.Int64
	board := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		football.Scoreboard{Server: world}.ServeHTTP(w, r)
	}))
	t.Cleanup(board.Close)
	client := httpx.New(httpx.Options{})
	b.acts.Feed = apifootball.New(apifootball.Options{BaseURL: vendor.URL, Key: "paid", Now: clock}, client)
	if both {
		b.acts.Second = espn.New(espn.Options{BaseURL: board.URL, Now: clock, Patient: 2}, client)
	}
	in := &ingest.Activities{Store: b.store, Feed: b.acts.Feed, Follow: everything, Windows: b.acts.Rules.Windows, Cleanup: b.acts.Cleanup, Page: b, Now: clock}
	b.env.RegisterActivity(in.StoreDay)
	_, err := b.env.ExecuteActivity(in.StoreDay, midnight)
	require.NoError(t, err)
	ahead := map[string]time.Time{}
	look := func(poll string, second bool, list []calls.Call) (voting []int64) {
		d := monitor.DecideInput{Poll: poll, Second: second}
		for _, c := range list {
			p, err := b.call(monitor.Chunk{Poll: poll, Call: c, Spare: -1})
			require.NoError(t, err)
			d.Changed, d.Regressed = append(d.Changed, p.Changed...), append(d.Regressed, p.Regressed...)
		}
		todo := b.decide(d)
		for _, a := range todo.Ahead {
			if ahead[a.EventUID].IsZero() {
				ahead[a.EventUID] = b.now
			}
		}
		return todo.Voting
	}
	for n := 0; b.now.Before(midnight.Add(17*time.Hour + 15*time.Minute)); n++ {
		plan := b.plan(fmt.Sprint("poll-", n))
		voting := look(fmt.Sprint("poll-", n), false, plan.Calls)
		if len(voting) > 0 && plan.SecondLook > 0 {
			b.pass(plan.SecondLook)
			look(fmt.Sprint("poll-", n, "-again"), true, []calls.Call{{Kind: calls.IDs, IDs: voting}})
			b.pass(-plan.SecondLook)
		}
		b.pass(30 * time.Second)
	}
	fixtures, err := b.store.List(t.Context(), store.FixtureQuery{})
	require.NoError(t, err)
	goals = map[string]goalTimes{}
	for _, f := range fixtures {
		require.Empty(t, f.Foretold, "each was listed in the end")
		of, _ := s.Fixture(int(f.ID))
		for _, e := range f.Events {
			require.True(t, e.Certain(), "%d: %s", f.ID, e.ID)
			i := slices.IndexFunc(of.Events, func(s script.Event) bool { return int64(s.Player.ID) == e.Player.ID })
			fell := midnight.Add(time.Duration(of.Happens(of.Events[i]) * float64(time.Minute)))
			goals[fmt.Sprint(f.ID, "/", of.Events[i].Key)] = goalTimes{e.FirstSeen.Sub(fell), ahead[e.UID].Sub(fell), e.CertainAt.Sub(fell)}
		}
		all, err := b.store.Entries(t.Context(), store.LogQuery{FixtureID: f.ID})
		require.NoError(t, err)
		rows = append(rows, all...)
	}
	return goals, today.Calls("2026-03-07"), int(asked.Load()), rows
}

// TestTwoFeedsMakeGoalsCertainSooner: API-Football lists each goal a minute after ESPN does.
func TestTwoFeedsMakeGoalsCertainSooner(t *testing.T) {
	t.Parallel()
	alone, calls, _, _ := playBeside(t, false)
	both, callsBoth, toSecond, rows := playBeside(t, true)
	require.Len(t, alone, 15)
	require.Len(t, both, 15)
	var certain, ahead []time.Duration
	for goal, was := range alone {
		is := both[goal]
		require.LessOrEqual(t, is.certain, was.certain, goal)
		certain, ahead = append(certain, was.certain-is.certain), append(ahead, was.ahead-is.ahead)
	}
	slices.Sort(certain)
	slices.Sort(ahead)
	t.Logf("certain sooner by %v (median), %v to %v; looked for sooner by %v (median), %v to %v; calls to API-Football %d, without ESPN %d; calls to ESPN %d",
		certain[7], certain[0], certain[14], ahead[7], ahead[0], ahead[14], callsBoth, calls, toSecond)
	require.GreaterOrEqual(t, certain[7], 30*time.Second)
	require.GreaterOrEqual(t, ahead[7], 30*time.Second)
	require.LessOrEqual(t, callsBoth, calls+calls/10)
	removed := 0
	for _, r := range rows {
		if r.Kind == footy.EntryRemoved {
			removed++
		}
	}
	require.Equal(t, 1, removed, "a goal that both took back")
}
