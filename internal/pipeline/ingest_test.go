package pipeline_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/workflow"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/ingest/alias"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/policy/fault"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
)

var noon = time.Date(2026, 11, 14, 12, 0, 0, 0, time.UTC)

// ingested runs an ingest at a moment; list answers for a date, in days after today. It returns the days in the order asked.
func ingested(t *testing.T, at time.Time, in ingest.Input, list func(day int) (ingest.Stored, error)) (asked []int, deleted bool, out ingest.Output) {
	t.Helper()
	env := setup(t)
	env.SetStartTime(at)
	today := at.Truncate(24 * time.Hour)
	last := -99
	on(env, ingest.StoreDay, anything).Return(func(_ context.Context, date time.Time) (ingest.Stored, error) {
		day := int(date.Sub(today) / (24 * time.Hour))
		if day != last { // else it is tried again
			asked, last = append(asked, day), day
		}
		s, err := list(day)
		return s, fault.Translate(err)
	})
	env.OnActivity(ingest.MissingAliases.Name(), anything).Return([]alias.Input{}, nil).Maybe()
	env.OnActivity(cleanup.Cleanup.Name(), anything).Return(func(context.Context) (int, error) { deleted = true; return 4, nil })
	env.ExecuteWorkflow(ingest.Workflow.Name(), in)
	require.Less(t, env.Now().Sub(at), 30*time.Minute)
	require.NoError(t, env.GetWorkflowError())
	require.NoError(t, env.GetWorkflowResult(&out))
	return asked, deleted, out
}

func none(int) (ingest.Stored, error) { return ingest.Stored{}, nil }

func TestEachDayOfAnIngestStandsAlone(t *testing.T) {
	t.Parallel()
	early := noon.Add(-11 * time.Hour) // yesterday's matches may still be under way
	down := footy.Errorf(footy.CodeUnavailable, "list fixtures", "HTTP 500")
	failing := func(bad int) func(int) (ingest.Stored, error) {
		return func(day int) (ingest.Stored, error) {
			if day == bad {
				return ingest.Stored{}, down
			}
			return ingest.Stored{Fixtures: 2, Staging: 2}, nil
		}
	}

	t.Run("today comes first, and yesterday's failure stops nothing", func(t *testing.T) {
		t.Parallel()
		asked, deleted, out := ingested(t, early, ingest.Defaults(), failing(-1))
		require.Equal(t, []int{0, -1, 1, 2}, asked)
		require.True(t, deleted)
		require.Equal(t, 3, out.Days)
		require.Equal(t, 4, out.Deleted)
		require.Equal(t, []string{"2026-11-13: list fixtures: HTTP 500"}, out.Failed)
	})

	t.Run("without today's list the others are fetched all the same, and the output says so", func(t *testing.T) {
		t.Parallel()
		asked, deleted, out := ingested(t, early, ingest.Defaults(), failing(0))
		require.Equal(t, []int{0, -1, 1, 2}, asked)
		require.True(t, deleted)
		require.Equal(t, []string{"2026-11-14: list fixtures: HTTP 500"}, out.Failed)
		require.Equal(t, 3, out.Days, "and what came of the others can be asked for")
	})

	t.Run("a machine that is offline asks once", func(t *testing.T) {
		t.Parallel()
		looks := 0
		asked, deleted, out := ingested(t, early, ingest.Defaults(), func(int) (ingest.Stored, error) {
			looks++
			return ingest.Stored{Offline: true}, nil
		})
		require.Equal(t, []int{0}, asked)
		require.Equal(t, 1, looks)
		require.True(t, deleted)
		require.Equal(t, []string{"2026-11-14: this machine is offline"}, out.Failed)
		require.Zero(t, out.Days)
	})

	t.Run("a day that the plan does not list is no failure", func(t *testing.T) {
		t.Parallel()
		asked, _, out := ingested(t, noon, ingest.Defaults(), func(day int) (ingest.Stored, error) {
			return ingest.Stored{Beyond: day > 1}, nil
		})
		require.Equal(t, []int{0, 1, 2}, asked, "and what comes after it is not listed either")
		require.Equal(t, []string{"2026-11-16"}, out.Beyond)
		require.Empty(t, out.Failed)
		require.Equal(t, 2, out.Days)
	})

	t.Run("a plan whose calls are used up until midnight holds up no other day", func(t *testing.T) {
		t.Parallel()
		spent := footy.Errorf(footy.CodeRateLimited, "list fixtures", "requests: You have reached the request limit for the day")
		spent.RetryAfter = 12 * time.Hour
		_, deleted, _ := ingested(t, noon, ingest.Defaults(), func(int) (ingest.Stored, error) { return ingest.Stored{}, spent })
		require.True(t, deleted)
	})
}

func TestLookAheadCountsTheDaysAfterToday(t *testing.T) {
	t.Parallel()
	in := ingest.Input{Days: 3, Lookahead: 6}

	t.Run("today's matches end no look ahead", func(t *testing.T) {
		t.Parallel()
		asked, _, _ := ingested(t, noon, in, func(day int) (ingest.Stored, error) {
			return ingest.Stored{Fixtures: map[int]int{0: 9, 5: 1}[day], Known: map[int]int{0: 9}[day]}, nil
		})
		require.Equal(t, []int{0, 1, 2, 3, 4, 5}, asked)
	})

	t.Run("a match of tomorrow does", func(t *testing.T) {
		t.Parallel()
		asked, _, _ := ingested(t, noon, in, func(day int) (ingest.Stored, error) {
			return ingest.Stored{Fixtures: map[int]int{1: 1}[day], Known: map[int]int{1: 1}[day]}, nil
		})
		require.Equal(t, []int{0, 1, 2}, asked)
	})

	t.Run("it goes thirty days after today and no further", func(t *testing.T) {
		t.Parallel()
		asked, _, _ := ingested(t, noon, ingest.Defaults(), none)
		require.Len(t, asked, 31)
		require.Equal(t, 30, asked[30])
	})

	t.Run("a day that could not be listed is not an empty one", func(t *testing.T) {
		t.Parallel()
		asked, _, _ := ingested(t, noon, in, func(day int) (ingest.Stored, error) {
			if day == 1 {
				return ingest.Stored{}, footy.Errorf(footy.CodeAuthRequired, "list", "no")
			}
			return ingest.Stored{}, nil
		})
		require.Equal(t, []int{0, 1, 2}, asked)
	})
}

// TestAnIngestWithoutInputDoesWhatTheScheduleDoes: a person starts it in Temporal's UI, where the input is left out.
func TestAnIngestWithoutInputDoesWhatTheScheduleDoes(t *testing.T) {
	t.Parallel()
	byHand, _, _ := ingested(t, noon, ingest.Input{}, none)
	scheduled, _, _ := ingested(t, noon, ingest.Defaults(), none)
	require.Len(t, byHand, 31)
	require.Equal(t, scheduled, byHand)
}

// TestMonitorStartsTheIngestThatIsMissing: an ingest that failed at five past midnight was the last one of that day.
func TestMonitorStartsTheIngestThatIsMissing(t *testing.T) {
	t.Parallel()
	env := setup(t)
	env.SetStartTime(noon)
	in := ingest.Defaults()
	on(env, monitor.PlanCycle, anything).Return(monitor.Plan{Ingest: &in}, nil)
	var started []string
	env.OnWorkflow(ingest.Workflow.Name(), anything, in).Return(func(ctx workflow.Context, _ ingest.Input) (ingest.Output, error) {
		i := workflow.GetInfo(ctx)
		require.Equal(t, ingest.Workflow.Limit(), i.WorkflowRunTimeout)
		started = append(started, i.WorkflowExecution.ID)
		return ingest.Output{}, nil
	})
	env.ExecuteWorkflow(monitor.Workflow.Name(), monitor.Input{Timing: policy.Defaults()})
	require.NoError(t, env.GetWorkflowError())
	require.Equal(t, []string{"ingest-14_11_2026"}, started, "the same id as at a start: there is one at a time")
}

// TestNamedMatchesAreFetchedAsFastAsThePlanAllows and what was fetched is told and kept, whatever comes after it.
func TestNamedMatchesAreFetchedAsFastAsThePlanAllows(t *testing.T) {
	t.Parallel()
	named := func(t *testing.T, fetch func(ids []int64) (ingest.Stored, error)) (out ingest.Output, took time.Duration, err error) {
		t.Helper()
		env := setup(t)
		env.SetStartTime(noon)
		on(env, ingest.FetchByIDs, anything).Return(func(_ context.Context, ids []int64) (ingest.Stored, error) {
			s, err := fetch(ids)
			return s, fault.Translate(err)
		})
		env.OnActivity(ingest.MissingAliases.Name(), anything).Return([]alias.Input{}, nil).Maybe()
		env.ExecuteWorkflow(ingest.Workflow.Name(), ingest.Input{FixtureIDs: []int64{1, 2, 3, 4, 5}})
		if err = env.GetWorkflowError(); err == nil {
			require.NoError(t, env.GetWorkflowResult(&out))
		}
		return out, env.Now().Sub(noon), err
	}
	two := func(ids []int64) (ingest.Stored, error) {
		s := ingest.Stored{}
		for _, id := range ids[:min(2, len(ids))] {
			s.Named = append(s.Named, ingest.Named{ID: id})
		}
		if s.Left = ids[len(s.Named):]; len(s.Left) > 0 {
			s.Pause = time.Minute
		}
		return s, nil
	}
	out, took, err := named(t, two)
	require.NoError(t, err)
	require.Len(t, out.Named, 5)
	require.Equal(t, 2*time.Minute, took)

	down := footy.Errorf(footy.CodeNotInPlan, "ask a fixture", "your subscription has ended")
	out, _, err = named(t, func(ids []int64) (ingest.Stored, error) {
		if len(ids) < 5 {
			return ingest.Stored{}, down
		}
		return two(ids)
	})
	require.NoError(t, err)
	require.Equal(t, []ingest.Named{{ID: 1}, {ID: 2}, {ID: 3, Failed: "ask a fixture: your subscription has ended"},
		{ID: 4, Failed: "ask a fixture: your subscription has ended"}, {ID: 5, Failed: "ask a fixture: your subscription has ended"}}, out.Named)

	_, _, err = named(t, func(ids []int64) (ingest.Stored, error) { return ingest.Stored{Left: ids, Pause: time.Minute}, nil })
	require.ErrorContains(t, err, "others use up the plan's calls of each minute")
	_, _, err = named(t, func([]int64) (ingest.Stored, error) { return ingest.Stored{}, down })
	require.ErrorContains(t, err, "your subscription has ended")
}
