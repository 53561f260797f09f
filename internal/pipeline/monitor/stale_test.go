package monitor_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/feed/apifootball"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/world"
	"github.com/found-footy/found-footy/internal/world/script"
)

// TestStartedInMidMatch begins a simulated day (stale_start) when its first match is in its 60th minute. What the day must come to:
// each goal that fell before is found and searched for with posts from its own time on, at the latest three minutes before it, the
// newest first; it says of itself that it fell before we looked; a goal that falls afterwards is not held up and says nothing.
func TestStartedInMidMatch(t *testing.T) {
	t.Parallel()
	s := script.Default()
	s.Outages, s.Feed.Failures = nil, nil
	require.NoError(t, s.With(script.StaleStart))
	w, err := world.New(world.Options{Script: s, ClipDir: t.TempDir(), Scale: 1})
	require.NoError(t, err)
	require.NoError(t, w.Start(t.Context()))
	t.Cleanup(func() { _ = w.Close() })

	b := newBench(t)
	b.acts.Feed = apifootball.New(apifootball.Options{BaseURL: w.URL() + "/football", Key: "k"}, httpx.New(httpx.Options{}))
	b.now = time.Now()
	lists := &ingest.Activities{Store: b.store, Feed: b.acts.Feed, Follow: usual, Windows: lifecycle.Defaults(), Cleanup: b.acts.Cleanup, Page: b, Now: b.acts.Now}
	for _, day := range []int{-1, 0} { // soon after midnight these matches are yesterday's
		_, err = lists.StoreDay(t.Context(), b.now.AddDate(0, 0, day))
		require.NoError(t, err)
	}
	var todo monitor.Todo
	for _, poll := range []string{"p1", "p2", "p3"} {
		b.now = time.Now()
		for _, c := range b.plan(poll).Calls {
			p, err := b.call(monitor.Chunk{Poll: poll, IDs: c.IDs})
			require.NoError(t, err)
			todo = b.decide(monitor.DecideInput{Poll: poll, Changed: p.Changed})
		}
	}

	began := w.Status().StartedAt
	fixtures, err := b.store.List(t.Context(), store.FixtureQuery{})
	require.NoError(t, err)
	when := map[string]time.Time{}
	for _, f := range fixtures {
		played, _ := s.Fixture(int(f.ID))
		for _, e := range f.Events {
			i := slices.IndexFunc(played.Events, func(p script.Event) bool {
				return footy.Minute{Elapsed: p.Minute, Extra: p.Extra} == e.Minute && script.Scores(p.Kind)
			})
			require.GreaterOrEqual(t, i, 0, e.ID)
			scored := began.Add(time.Duration(played.Happens(played.Events[i]) * float64(time.Minute)))
			require.True(t, e.CaughtUp, e.ID)
			require.True(t, e.FirstLook, e.ID)
			require.False(t, e.HappenedAt.After(scored.Add(90*time.Second)), "%s: %s late; the floor is three minutes before it", e.ID, e.HappenedAt.Sub(scored))
			require.False(t, e.HappenedAt.Before(scored.Add(-20*time.Minute)), "%s: %s early", e.ID, scored.Sub(e.HappenedAt))
			require.Equal(t, e.HappenedAt, e.ScoredAt())
			when[e.UID] = e.HappenedAt
		}
	}
	require.GreaterOrEqual(t, len(when), 8, "several matches are under way")
	require.GreaterOrEqual(t, len(todo.Searches), 5, "those with a scorer are certain")
	require.True(t, slices.IsSortedFunc(todo.Searches, func(a, b monitor.Search) int { return when[b.EventUID].Compare(when[a.EventUID]) }), "newest first")
	require.NotEqual(t, todo.Searches[0].FixtureID, todo.Searches[len(todo.Searches)-1].FixtureID, "over all matches, not one by one")
}

// TestAGoalThatFallsWhileWeWatchIsNotCaughtUp, also where the feed's clock stands still and kickoff alone would make it old.
func TestAGoalThatFallsWhileWeWatchIsNotCaughtUp(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.now = kickoff.Add(112 * time.Minute)
	live := func(goals int) footy.Snapshot {
		s := match(1, goals)
		stopped := 90
		s.Match.Status, s.Answered = footy.Status{Code: "2H", Elapsed: &stopped}, b.now
		for i := range s.Events {
			s.Events[i].Minute = footy.Minute{Elapsed: 90, Extra: 3 + i}
		}
		return s
	}
	vote := func(poll string, s footy.Snapshot) {
		b.feed.list(s)
		p, err := b.poll(poll, 1)
		require.NoError(t, err)
		b.decide(monitor.DecideInput{Poll: poll, Changed: p.Changed})
	}
	b.add(footy.StageActive, live(0))
	vote("p1", live(0))
	b.now = b.now.Add(30 * time.Second)
	vote("p2", live(1))
	vote("p2", live(1)) // a poll that is repeated was not the one before
	b.now = b.now.Add(30 * time.Minute)
	vote("p3", live(2))
	f, err := b.store.Fixture(t.Context(), 1)
	require.NoError(t, err)
	require.Len(t, f.Events, 2)
	require.False(t, f.Events[0].CaughtUp)
	require.Equal(t, f.Events[0].FirstSeen, f.Events[0].ScoredAt())
	require.True(t, f.Events[0].HappenedAt.Before(f.Events[0].FirstSeen.Add(-10*time.Minute)), "posts may be that old all the same")
	require.True(t, f.Events[1].CaughtUp, "nobody looked for half an hour")
}

func usual(context.Context) (lifecycle.Follow, error) { return lifecycle.Follow{}, nil }

// TestAnAnswerCountsOnce: a feed that is asked seldom gives the answer that it has; three looks at one answer are one sighting, and one absence.
func TestAnAnswerCountsOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	told := func(goals int) footy.Snapshot {
		s := match(1, goals)
		s.Answered = b.now
		return s
	}
	b.add(footy.StageActive, told(0))
	poll := 0
	looks := func(s footy.Snapshot) (last monitor.PollResult) {
		b.feed.list(s)
		for range 3 {
			poll++
			b.now = b.now.Add(30 * time.Second)
			name := fmt.Sprintf("p%d", poll)
			p, err := b.poll(name, 1)
			require.NoError(t, err)
			require.Empty(t, p.Failed, "nobody failed to answer")
			b.decide(monitor.DecideInput{Poll: name, Changed: p.Changed})
			last = p
		}
		return last
	}
	event := func() *footy.Event {
		f, err := b.store.Fixture(t.Context(), 1)
		require.NoError(t, err)
		require.Len(t, f.Events, 1)
		return &f.Events[0]
	}
	require.Zero(t, looks(told(1)).Answered)
	require.False(t, event().Certain())
	require.Len(t, event().Votes, 1)
	looks(told(1))
	looks(told(1))
	require.True(t, event().Certain())
	looks(told(0))
	require.False(t, event().Removed)
	require.Len(t, event().AbsentPolls, 1)
}
