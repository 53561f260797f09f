package budgets_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/history/v1"

	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/pipeline/search"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
	"github.com/found-footy/found-footy/tools/devtest"
)

// TestCertainGoalIsSearchedBeforeAnythingElse tests the order, not times.
func TestCertainGoalIsSearchedBeforeAnythingElse(t *testing.T) {
	t.Parallel()
	engine := devtest.Start(t, "temporal", "--db", filepath.Join(t.TempDir(), "temporal.db"), "--ui-port", "-1")
	v, err := NewEvening(t.Context(), engine.Address, t.TempDir(), 60, 1, nil)
	require.NoError(t, err)
	t.Cleanup(v.Stop)
	c, err := v.Certain(t.Context(), 0)
	require.NoError(t, err)
	require.Equal(t, 62, c.Cycle.Output.Polled, "two live matches, and all that wait")

	cycle, err := Fetch(t.Context(), v.Client, c.CycleID, "")
	require.NoError(t, err)
	started := position(cycle, func(e *history.HistoryEvent) bool {
		return e.GetChildWorkflowExecutionStartedEventAttributes().GetWorkflowExecution().GetWorkflowId() == c.Event.Round.Workflow
	})
	require.GreaterOrEqual(t, started, 0, "the cycle that made the goal certain starts its search")
	require.Equal(t, 2, c.Cycle.Cost.ByName[monitor.Decide.Name()], "many fixtures that wait are decided on by themselves")
	require.Greater(t, last(cycle, scheduled(monitor.Decide)), started, "after the goals")
	for _, later := range []named{monitor.Reconcile, cleanup.Sweep} {
		require.Greater(t, position(cycle, scheduled(later)), started, "%s", later.Name())
	}

	twitter, err := Fetch(t.Context(), v.Client, c.Event.Round.Workflow, "")
	require.NoError(t, err)
	first := twitter.Events[position(twitter, scheduled(search.Search))]
	child := twitter.Events[position(twitter, func(e *history.HistoryEvent) bool { return e.GetChildWorkflowExecutionStartedEventAttributes() != nil })]
	names, err := Fetch(t.Context(), v.Client, child.GetChildWorkflowExecutionStartedEventAttributes().GetWorkflowExecution().GetWorkflowId(), "")
	require.NoError(t, err)
	if looked := position(names, func(e *history.HistoryEvent) bool { return e.GetActivityTaskCompletedEventAttributes() != nil }); looked >= 0 {
		require.Less(t, first.GetEventTime().AsTime(), names.Events[looked].GetEventTime().AsTime(), "the first search goes out while the names are looked up")
	}
}

// named is an activity.
type named interface{ Name() string }

func scheduled(a named) func(*history.HistoryEvent) bool {
	return func(e *history.HistoryEvent) bool {
		return e.GetActivityTaskScheduledEventAttributes().GetActivityType().GetName() == a.Name() || localName(e.GetMarkerRecordedEventAttributes()) == a.Name()
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
