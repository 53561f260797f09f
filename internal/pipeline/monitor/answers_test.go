package monitor_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// TestWhatTheFeedSaidIsKept: the latest answer with the ids of our events, and each that changed something.
func TestWhatTheFeedSaidIsKept(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.add(footy.StageActive, match(1, 0))
	say := func(poll string, goals, minute int) {
		s := match(1, goals)
		s.Match.Status.Elapsed = &minute
		b.pass(30 * time.Second)
		s.Answered = b.now
		b.feed.list(s)
		b.whole(poll)
	}
	say("p1", 0, 30)
	say("p2", 0, 31)
	say("p3", 1, 31)
	b.whole("p3") // repeated
	say("p4", 1, 31)
	say("p5", 1, 32)

	kept, err := b.store.KeptAnswers(t.Context(), 1)
	require.NoError(t, err)
	require.Len(t, kept, 2, "the clock alone changes nothing")
	require.Equal(t, []string{"p1", "p3"}, []string{kept[0].PollID, kept[1].PollID})
	require.Contains(t, kept[1].Said, "Salah")

	latest, err := b.store.LatestAnswers(t.Context(), []int64{1})
	require.NoError(t, err)
	require.Equal(t, "p5", latest[1].PollID)
	require.True(t, latest[1].Answered.Equal(b.now))
	var said struct {
		Events []map[string]any `json:"events"`
	}
	require.NoError(t, json.Unmarshal(latest[1].Said, &said))
	f := b.fixture(1)
	require.Equal(t, f.Events[0].ID, said.Events[0]["_event_id"])
	require.Len(t, f.Events[0].Votes, 3, "the snapshots that were decided on were read from what was said")

	require.NoError(t, b.store.PutAnswers(t.Context(), []store.Answer{{FixtureID: 1, PollID: "p5", Said: json.RawMessage(`{"fixture":[]}`)}}))
	say("p6", 2, 33)
	require.Len(t, b.fixture(1).Events, 2, "what cannot be read any more holds nothing up")
}
