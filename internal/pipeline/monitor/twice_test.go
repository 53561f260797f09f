package monitor_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
)

// TestThePostsOfAGoalListedTwiceGoToTheOneThatStands: the score counted both for a while, so both were searched for.
func TestThePostsOfAGoalListedTwiceGoToTheOneThatStands(t *testing.T) {
	t.Parallel()
	for _, left := range []int{0, 1} {
		b := newBench(t)
		b.acts.Status, b.acts.Delays = unknown{}.Status, ledger.DefaultDelays()
		twice := match(1, 2)
		twice.Events[1].Player, twice.Events[1].Minute = twice.Events[0].Player, twice.Events[0].Minute
		twice.Events[1].Minute.Elapsed++
		b.add(footy.StageActive, twice)
		n := 0
		polls := func(times int, s footy.Snapshot) {
			t.Helper()
			b.feed.list(s)
			for range times {
				n++
				b.now = b.now.Add(30 * time.Second)
				b.whole(fmt.Sprintf("poll-%d-%d", left, n))
			}
		}
		polls(3, twice)
		both := b.fixture(1).Events
		require.Len(t, both, 2)
		for i, e := range both {
			require.True(t, e.Certain())
			for _, id := range []string{"1980000000000000001", fmt.Sprintf("198000000000000000%d", 2+i)} { // one that both searches found, one each
				p, row := ledger.Offered(1, e, footy.Candidate{PostID: id}, b.now)
				require.NoError(t, b.store.AddPosts(t.Context(), []footy.Post{p}, row))
			}
		}
		once := match(1, 1)
		once.Events[0] = twice.Events[left]
		polls(1, once)
		both = b.fixture(1).Events
		require.True(t, both[0].Standing() && both[1].Standing(), "one absence removes nothing")
		stale := twice
		stale.Score = footy.ScoreOf(1, 0)
		polls(4, stale) // listed twice, counted once
		polls(4, once)
		both = b.fixture(1).Events
		require.True(t, both[0].Standing(), "the first stays, whichever copy is listed")
		require.Equal(t, footy.ReasonListedTwice, both[1].RemovedReason)
		require.Equal(t, both[0].UID, both[1].SameAs)
		for range 2 {
			_, err := b.env.ExecuteActivity(b.acts.Reconcile, monitor.ReconcileInput{Poll: "reconcile"})
			require.NoError(t, err)
		}
		posts, err := b.store.Posts(t.Context(), store.PostQuery{FixtureID: 1, EventUID: both[0].UID})
		require.NoError(t, err)
		require.Len(t, posts, 3)
		offered := 0
		for _, p := range posts {
			if p.Candidate.OfferedBy == both[1].UID {
				offered++
				require.Equal(t, "1980000000000000003", p.PostID)
			}
		}
		require.Equal(t, 1, offered)
	}
}
