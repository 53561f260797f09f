package monitor_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/pipeline/search"
)

// TestEachSightingOfAGoalThatIsNotCertainIsSearchedFor: once, however often Temporal asks, also while nobody names the scorer; a name that comes
// before certainty opens no second round.
func TestEachSightingOfAGoalThatIsNotCertainIsSearchedFor(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.add(footy.StageActive, match(1, 0))
	look := func(poll string, s footy.Snapshot) monitor.Todo {
		b.now = b.now.Add(30 * time.Second)
		s.Answered = b.now
		b.feed.list(s)
		p, err := b.poll(poll, 1)
		require.NoError(t, err)
		d := monitor.DecideInput{Poll: poll, Changed: p.Changed}
		todo := b.decide(d)
		require.Equal(t, todo, b.decide(d), "Temporal tries it again")
		return todo
	}
	unnamed := match(1, 1)
	unnamed.Events[0].Player = footy.Person{}
	require.Empty(t, look("p0", match(1, 0)).Ahead)
	first := look("p1", unnamed)
	require.Len(t, first.Ahead, 1)
	require.Empty(t, first.Searches)
	f, err := b.store.Fixture(t.Context(), 1)
	require.NoError(t, err)
	e := f.Events[0]
	require.Equal(t, monitor.Ahead{AheadInput: search.AheadInput{Input: search.Input{FixtureID: 1, EventUID: e.UID}, Sighting: 1, Label: footy.MatchLabel(f, e)}, WorkflowID: "ahead1-" + e.ID}, first.Ahead[0])

	second := look("p2", match(1, 1)) // it has a name now, and another id
	require.Equal(t, 2, second.Ahead[0].Sighting)
	require.NotContains(t, second.Ahead[0].WorkflowID, e.ID)
	third := look("p3", match(1, 1))
	require.Empty(t, third.Ahead, "it is certain: its round searches")
	require.Len(t, third.Searches, 1)
	f, err = b.store.Fixture(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, 1, f.Events[0].Round.Number)
	require.Empty(t, third.Searches[0].Running)
}
