package monitor_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
)

// TestAKillBetweenVotesAndSearchesStartsTheSearchAllTheSame: the answer of Decide got lost, and then the whole cycle.
func TestAKillBetweenVotesAndSearchesStartsTheSearchAllTheSame(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.add(footy.StageActive, match(1, 1))
	b.feed.list(match(1, 1))
	var d monitor.DecideInput
	var todo monitor.Todo
	for n := range 3 {
		b.now = b.now.Add(30 * time.Second)
		poll := []string{"p1", "p2", "p3"}[n]
		p, err := b.poll(poll, 1)
		require.NoError(t, err)
		d = monitor.DecideInput{Poll: poll, Changed: p.Changed}
		todo = b.decide(d)
	}
	require.Len(t, todo.Searches, 1)
	again := b.decide(d)
	require.Equal(t, todo.Searches, again.Searches, "Temporal tries it again")
	require.Len(t, b.rows(1, footy.EntryCertain), 1)

	b.acts.Status = unknown{}.Status
	b.now = b.now.Add(30 * time.Second) // nobody started it, and the next poll has nothing to decide
	out, err := b.env.ExecuteActivity(b.acts.Reconcile, monitor.ReconcileInput{Poll: "p4"})
	require.NoError(t, err)
	var later monitor.Todo
	require.NoError(t, out.Get(&later))
	require.Equal(t, todo.Searches, later.Searches)
}

// unknown is an engine that has no workflow.
type unknown struct{}

func (unknown) Status(context.Context, string) (round.WorkflowStatus, error) {
	return round.Missing, nil
}

// TestAKillBetweenPollAndDecisionLosesNoVote: what a poll stored and nobody decided is decided by the next one.
func TestAKillBetweenPollAndDecisionLosesNoVote(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.add(footy.StageActive, match(1, 1))
	b.feed.list(match(1, 1))
	_, err := b.poll("killed", 1)
	require.NoError(t, err)
	for n := range 3 {
		require.Equal(t, []int64{1}, b.cycle(n, false, 1).Changed)
	}
	f, err := b.store.Fixture(t.Context(), 1)
	require.NoError(t, err)
	require.True(t, f.Events[0].Certain())
	require.Empty(t, b.cycle(9, false, 1).Changed)
}
