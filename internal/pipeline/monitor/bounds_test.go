package monitor_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
)

// warned is what the engine warns of in one answer; it refuses 2 MB.
const warned = 256 << 10

// requireSmall checks that the engine takes an answer.
func requireSmall(t *testing.T, answer any) {
	t.Helper()
	text, err := json.Marshal(answer)
	require.NoError(t, err)
	require.Less(t, len(text), warned)
}

// endless is a match with more goals than any ever had, of scorers with names that are as long as a feed likes.
func endless(id int64, goals int) footy.Snapshot {
	s := match(id, goals)
	s.Teams.Home.Name = strings.Repeat("Ü", 500)
	for i := range s.Events {
		s.Events[i].Player = footy.Person{ID: int64(1000 + i), Name: fmt.Sprintf("Scorer %d", i)}
	}
	return s
}

// Thousands of goals in three matches made an answer of 1.45 MB, and the engine ended every cycle.
func TestAsManyGoalsInThreeMatchesAsAreBelieved(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.acts.Status = atWork{}.Status
	var matches []footy.Snapshot
	ids := []int64{1, 2, 3}
	for _, id := range ids {
		matches = append(matches, endless(id, footy.MaxEvents))
		b.add(footy.StageActive, matches[id-1])
	}
	b.feed.list(matches...)
	uids := func() (out []string) {
		for _, id := range ids {
			f, err := b.store.Fixture(t.Context(), id)
			require.NoError(t, err)
			require.Len(t, f.Events, footy.MaxEvents)
			for _, e := range f.Events {
				require.False(t, e.Removed)
				out = append(out, e.UID)
			}
		}
		return out
	}
	begun := map[string]int{}
	start := func(todo monitor.Todo) {
		requireSmall(t, todo)
		for _, id := range ids { // as each search does for itself
			_, err := b.store.Update(t.Context(), id, func(f *footy.Fixture) ([]footy.Entry, error) {
				for _, s := range todo.Searches {
					if s.FixtureID == id {
						begun[s.EventUID]++
						round.TakeUp(f.Event(s.EventUID), s.WorkflowID)
					}
				}
				return nil, nil
			})
			require.NoError(t, err)
		}
	}
	var known []string
	for n := range 3 {
		b.pass(30 * time.Second)
		poll := fmt.Sprintf("poll-%d", n)
		plan := b.plan(poll)
		requireSmall(t, plan)
		require.Len(t, plan.Calls, 1)
		p, err := b.call(monitor.Chunk{Poll: poll, IDs: plan.Calls[0].IDs})
		require.NoError(t, err)
		require.Equal(t, 3, p.Answered)
		requireSmall(t, p)
		slices.Reverse(b.feed.matches[1].Events) // the order of a feed decides nothing
		start(b.decide(monitor.DecideInput{Poll: poll, Changed: p.Changed}))
		if known == nil {
			known = uids()
		}
		require.Equal(t, known, uids(), "those that were stored first are kept")
	}
	require.NotEmpty(t, begun)
	for cycle := 0; len(begun) < len(known) && cycle < len(known); cycle++ { // what was left over is begun by the next cycles
		b.pass(30 * time.Second)
		out, err := b.env.ExecuteActivity(b.acts.Reconcile, monitor.ReconcileInput{Poll: "r", Timing: policy.Defaults()})
		require.NoError(t, err)
		var todo monitor.Todo
		require.NoError(t, out.Get(&todo))
		require.NotEmpty(t, todo.Searches, "begun: %d", len(begun))
		start(todo)
	}
	require.Len(t, begun, len(known))
	for uid, n := range begun {
		require.Equal(t, 1, n, uid)
	}
}

// An answer that never ends is none: reading it would take longer than a cycle.
func TestAMatchWithAnEndlessListIsAFailedPoll(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.add(footy.StageActive, match(1, 0))
	b.add(footy.StageActive, match(2, 0))
	b.feed.list(endless(1, footy.MaxEvents+1), match(2, 1))
	p, err := b.poll("p", 1, 2)
	require.NoError(t, err)
	require.Equal(t, 1, p.Answered)
	require.Equal(t, []int64{2}, p.Changed)
	require.Len(t, p.Failed, 1)
	require.Equal(t, int64(1), p.Failed[0].ID)
	require.Contains(t, p.Failed[0].Why, "it lists 301 events")
	requireSmall(t, p)
}

// atWork is an engine in which every workflow runs.
type atWork struct{}

func (atWork) Status(context.Context, string) (round.WorkflowStatus, error) {
	return round.Running, nil
}
