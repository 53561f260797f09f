package budgets_test

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	historypb "go.temporal.io/api/history/v1"
	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/bench/record"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/tools/devtest"
)

// TestAGoalStaysInItsBudget plays two whole goals through the real workflows: one of which every search finds five good
// clips, and one that is never posted. Neither team's words are known yet, so looking them up counts too.
func TestAGoalStaysInItsBudget(t *testing.T) {
	t.Parallel()
	engine := devtest.Start(t, "temporal", "--db", filepath.Join(t.TempDir(), "temporal.db"), "--ui-port", "-1")
	outside, err := NewOutside(t.Context(), t.TempDir())
	require.NoError(t, err)
	r, err := Start(t.Context(), Options{Temporal: engine.Address, Dir: t.TempDir(), Change: outside.Install, Set: NoWikidata()})
	require.NoError(t, err)
	t.Cleanup(r.Stop)
	var popular, nobodys Goal
	var both errgroup.Group
	both.Go(func() (err error) {
		popular, err = r.Score(t.Context(), 1, "Popular", Pace(2*time.Second))
		return err
	})
	both.Go(func() (err error) {
		nobodys, err = r.Score(t.Context(), 2, Unposted, Pace(2*time.Second))
		return err
	})
	require.NoError(t, both.Wait())

	require.Equal(t, 10, popular.Event.Round.Searches)
	require.Len(t, popular.Event.Clips, 50, "five good candidates in each of ten searches")
	require.Equal(t, footy.RoundOutcome{Ended: true}, popular.Event.Outcome(), "not lost")
	require.Equal(t, 13, popular.Workflows, "a search, ten Downloads, one publishing, one look-up of the team's words")
	t.Logf("a goal of 50 posts: %d activities, %d events, %d reads of footage", popular.Activities, popular.Events, r.Footage.Load())
	require.LessOrEqual(t, r.Footage.Load(), int64(len(popular.Event.Clips)), "what a post's footage is recognised by is read once")
	require.LessOrEqual(t, popular.Activities, PopularActivities, "%v", popular.ByName)
	require.LessOrEqual(t, popular.Events, PopularEvents, "%v", popular.History)

	require.Equal(t, 10, nobodys.Event.Round.Searches)
	require.Equal(t, footy.RoundOutcome{Ended: true}, nobodys.Event.Outcome(), "not lost")
	require.Equal(t, 2, nobodys.Workflows, "a search that found nothing starts nothing")
	require.LessOrEqual(t, nobodys.Activities, UnpostedActivities, "%v", nobodys.ByName)

	runs, err := record.Runs(t.Context(), r.Client)
	require.NoError(t, err)
	event, of := record.Dearest(runs)
	require.Equal(t, popular.Event.ID, event)
	require.Len(t, of, 12, "all but the look-up of words, which serves every goal of the team")
}

// TestRecordedCyclesStayInTheirBudget reads what `make record` kept of the simulated day.
func TestRecordedCyclesStayInTheirBudget(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("..", "..", "internal", "pipeline", "testdata", "histories", "1.2.0", monitor.Workflow.Name()+"-*.json.gz"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	polled := 0
	for _, file := range files {
		h, err := Read(file)
		require.NoError(t, err)
		n, ok := Polled(h)
		require.True(t, ok, file)
		polled += n
		budget := Budget(n)
		if slices.ContainsFunc(h.GetEvents(), func(e *historypb.HistoryEvent) bool { return e.GetTimerStartedEventAttributes() != nil }) {
			budget += 2 // a second look: one call more, and what it decides
		}
		require.LessOrEqual(t, CostOf(h).Activities, budget, file)
	}
	require.Positive(t, polled, "the longest cycles of a day asked about fixtures")
}
