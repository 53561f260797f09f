package main_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/found-footy/found-footy/bench/rig"
	"github.com/found-footy/found-footy/internal/devtest"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/stretchr/testify/require"
	"go.temporal.io/api/history/v1"
)

// TestCertainGoalIsSearchedBeforeAnythingElse looks at the order of things, not at times: make bench measures those.
func TestCertainGoalIsSearchedBeforeAnythingElse(t *testing.T) {
	t.Parallel()
	engine := devtest.Start(t, "temporal", "--db", filepath.Join(t.TempDir(), "temporal.db"), "--ui-port", "-1")
	v, err := rig.NewEvening(t.Context(), engine.Address, t.TempDir(), 60, 1, nil)
	require.NoError(t, err)
	t.Cleanup(v.Stop)
	c, err := v.Certain(t.Context(), 0)
	require.NoError(t, err)
	require.Equal(t, 62, c.Cycle.Output.Polled, "two live matches, and all that wait")

	cycle, err := rig.Fetch(t.Context(), v.Client, c.CycleID, "")
	require.NoError(t, err)
	started := position(cycle, func(e *history.HistoryEvent) bool {
		return e.GetChildWorkflowExecutionStartedEventAttributes().GetWorkflowExecution().GetWorkflowId() == c.Event.TwitterWorkflow
	})
	require.GreaterOrEqual(t, started, 0, "the cycle that made the goal certain starts its search")
	require.Equal(t, 2, c.Cycle.Cost.ByName[string(policy.Decide)], "many fixtures that wait are decided on by themselves")
	require.Greater(t, last(cycle, scheduled(policy.Decide)), started, "after the goals")
	for _, later := range []policy.Activity{policy.Reconcile, policy.Sweep} {
		require.Greater(t, position(cycle, scheduled(later)), started, "%s", later)
	}

	twitter, err := rig.Fetch(t.Context(), v.Client, c.Event.TwitterWorkflow, "")
	require.NoError(t, err)
	first := twitter.Events[position(twitter, scheduled(policy.Search))]
	child := twitter.Events[position(twitter, func(e *history.HistoryEvent) bool { return e.GetChildWorkflowExecutionStartedEventAttributes() != nil })]
	names, err := rig.Fetch(t.Context(), v.Client, child.GetChildWorkflowExecutionStartedEventAttributes().GetWorkflowExecution().GetWorkflowId(), "")
	require.NoError(t, err)
	if found := position(names, scheduled(policy.SaveAliases)); found >= 0 {
		require.Less(t, first.GetEventTime().AsTime(), names.Events[found].GetEventTime().AsTime(), "the first search goes out while the names are looked up")
	}
}

func scheduled(a policy.Activity) func(*history.HistoryEvent) bool {
	return func(e *history.HistoryEvent) bool {
		return e.GetActivityTaskScheduledEventAttributes().GetActivityType().GetName() == string(a)
	}
}

// position of the first event of a kind; -1 if there is none.
func position(h *history.History, is func(*history.HistoryEvent) bool) int {
	return slices.IndexFunc(h.GetEvents(), is)
}

func last(h *history.History, is func(*history.HistoryEvent) bool) int {
	for i, e := range slices.Backward(h.GetEvents()) {
		if is(e) {
			return i
		}
	}
	return -1
}
