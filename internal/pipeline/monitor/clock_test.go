package monitor_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
)

// TestAClockThatWasAheadHoldsNoGoalUp: a goal that was seen then had no vote before that time came, its search asked for posts of that
// time, and its posts waited until then.
func TestAClockThatWasAheadHoldsNoGoalUp(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.acts.Delays = ledger.DefaultDelays()
	b.add(footy.StageActive, match(1, 0))
	right := b.now
	b.feed.list(match(1, 1))
	cycleOnce := func(poll string) {
		b.plan(poll)
		p, err := b.poll(poll, 1)
		require.NoError(t, err)
		b.decide(monitor.DecideInput{Poll: poll, Changed: p.Changed})
	}
	b.now = right.Add(2 * time.Hour)
	cycleOnce("p1")
	f := b.fixture(1)
	require.Len(t, f.Events, 1)
	var posts []footy.Post
	for _, state := range footy.PostStates[:5] { // those that have not ended
		posts = append(posts, footy.Post{EventUID: f.Events[0].UID, PostID: string(state), FixtureID: 1, State: state,
			NextTry: b.now.Add(time.Minute)})
	}
	rests := footy.Post{EventUID: f.Events[0].UID, PostID: "rests", FixtureID: 1, State: footy.PostWaiting, Tries: 30,
		NextTry: right.Add(time.Hour)}
	require.NoError(t, b.store.AddPosts(t.Context(), append(posts, rests)))

	b.now = right.Add(time.Minute)
	cycleOnce("p2")
	due, err := b.store.Posts(t.Context(), store.PostQuery{Due: b.now})
	require.NoError(t, err)
	require.Len(t, due, len(posts), "all but the one that rests in long trouble")
	b.now = b.now.Add(30 * time.Second)
	cycleOnce("p3")
	e := b.fixture(1).Events[0]
	require.Equal(t, right.Add(time.Minute), e.FirstSeen)
	require.False(t, e.HappenedAt.After(e.FirstSeen))
	require.Len(t, b.rows(1, footy.EntryChanged), 1, "and it says why")
	require.True(t, e.Certain(), "three polls saw it")
}

// TestAGoalOfAMatchThatWasOverWhileTheClockWasAhead: it was complete without a clip, and its match with it.
func TestAGoalOfAMatchThatWasOverWhileTheClockWasAhead(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.add(footy.StageActive, match(1, 0))
	b.add(footy.StageActive, match(2, 0))
	ahead := b.now.Add(2 * time.Hour)
	for _, id := range []int64{1, 2} {
		_, err := b.store.Update(t.Context(), id, func(f *footy.Fixture) ([]footy.Entry, error) {
			f.LastPollAt = ahead
			if id == 2 {
				f.Stage = footy.StageCompleted
				f.Events = []footy.Event{{UID: "u", ID: "u", FirstSeen: ahead, CertainAt: ahead, DownloadComplete: true, Round: footy.Round{Number: 1}}}
			}
			return nil, nil
		})
		require.NoError(t, err)
	}
	b.plan("p1")
	e := b.fixture(2).Events[0]
	require.Equal(t, b.now, e.FirstSeen)
	require.False(t, e.DownloadComplete)
	require.Equal(t, 2, e.Round.Number)
}
