package pipeline_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/workflow"

	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/search"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
)

// byIDs are calls about matches by their ids.
func byIDs(chunks ...[]int64) (out []monitor.Chunk) {
	for _, ids := range chunks {
		out = append(out, monitor.Chunk{IDs: ids})
	}
	return out
}

func TestMonitor(t *testing.T) {
	t.Parallel()
	in := monitor.Input{Timing: policy.Defaults()}

	t.Run("a chunk that fails is a failed poll for its fixtures and for no others", func(t *testing.T) {
		t.Parallel()
		env := setup(t)
		on(env, monitor.PlanCycle, anything).Return(monitor.Plan{Calls: byIDs([]int64{1, 2}, []int64{3})}, nil)
		on(env, monitor.PollChunk, anything).Return(func(_ context.Context, c monitor.Chunk) (monitor.PollResult, error) {
			if c.IDs[0] == 1 {
				return monitor.PollResult{}, errors.New("HTTP 500")
			}
			return monitor.PollResult{Answered: 1, Changed: []int64{3}}, nil
		})
		var asked monitor.DecideInput
		on(env, monitor.Decide, anything).Return(func(_ context.Context, d monitor.DecideInput) (monitor.Todo, error) {
			asked = d
			return monitor.Todo{}, nil
		})
		env.ExecuteWorkflow(monitor.Workflow.Name(), in)
		require.NoError(t, env.GetWorkflowError())
		require.Equal(t, []int64{3}, asked.Changed)
		require.Len(t, asked.Failed, 2)
		require.Equal(t, "default-test-workflow-id", asked.Poll, "the poll id is the workflow's own id")
	})

	t.Run("a cycle in which nothing changed decides nothing", func(t *testing.T) {
		t.Parallel()
		env := setup(t)
		on(env, monitor.PlanCycle, anything).Return(monitor.Plan{Calls: byIDs([]int64{1})}, nil)
		on(env, monitor.PollChunk, anything).Return(monitor.PollResult{Answered: 1}, nil)
		env.ExecuteWorkflow(monitor.Workflow.Name(), in)
		require.NoError(t, env.GetWorkflowError())
		env.AssertNotCalled(t, monitor.Decide.Name(), anything, anything)
	})

	t.Run("two regressing fixtures make the whole poll distrusted before any is touched", func(t *testing.T) {
		t.Parallel()
		env := setup(t)
		on(env, monitor.PlanCycle, anything).Return(monitor.Plan{Calls: byIDs([]int64{1}, []int64{2}, []int64{3})}, nil)
		on(env, monitor.PollChunk, anything).Return(func(_ context.Context, c monitor.Chunk) (monitor.PollResult, error) {
			p := monitor.PollResult{Answered: 1, Changed: c.IDs}
			if c.IDs[0] != 3 {
				p.Regressed = c.IDs
			}
			return p, nil
		})
		var asked monitor.DecideInput
		on(env, monitor.Decide, anything).Return(func(_ context.Context, d monitor.DecideInput) (monitor.Todo, error) {
			asked = d
			return monitor.Todo{}, nil
		})
		env.ExecuteWorkflow(monitor.Workflow.Name(), in)
		require.NoError(t, env.GetWorkflowError())
		require.True(t, asked.Distrusted)
		require.NotEmpty(t, asked.Why)
	})

	t.Run("a certain goal starts its search; a corrected one tells the running search instead", func(t *testing.T) {
		t.Parallel()
		env := setup(t)
		on(env, monitor.PlanCycle, anything).Return(monitor.Plan{Calls: byIDs([]int64{1}), Open: true}, nil)
		on(env, monitor.PollChunk, anything).Return(monitor.PollResult{Answered: 1, Changed: []int64{1}}, nil)
		on(env, monitor.Decide, anything).Return(monitor.Todo{Searches: []monitor.Search{
			{Input: search.Input{FixtureID: 1, EventUID: "1-1"}, WorkflowID: "twitter-a"},
			{Input: search.Input{FixtureID: 1, EventUID: "1-2"}, WorkflowID: "twitter-b-r2", Running: "twitter-b"},
			{Input: search.Input{FixtureID: 1, EventUID: "1-3"}, WorkflowID: "twitter-c-r2", Running: "twitter-c"},
		}}, nil)
		on(env, monitor.Reconcile, anything).Return(monitor.Todo{}, nil)
		env.OnSignalExternalWorkflow(anything, "twitter-b", "", policy.SignalCorrected, anything).Return(nil).Once()
		env.OnSignalExternalWorkflow(anything, "twitter-c", "", policy.SignalCorrected, anything).Return(errors.New("not running")).Once()
		var started []string
		env.OnWorkflow(search.Workflow.Name(), anything, anything).Return(func(ctx workflow.Context, _ search.Input) (search.Output, error) {
			started = append(started, workflow.GetInfo(ctx).WorkflowExecution.ID)
			return search.Output{}, nil
		})
		env.ExecuteWorkflow(monitor.Workflow.Name(), in)
		require.NoError(t, env.GetWorkflowError())
		require.ElementsMatch(t, []string{"twitter-a", "twitter-c-r2"}, started)
	})
}

// secondLook runs a cycle whose goal in match 1 is being validated. It returns what was asked and decided, and when since the cycle began.
func secondLook(t *testing.T, change func(*monitor.Plan), answer func(monitor.Chunk) (monitor.PollResult, error)) (asked []monitor.Chunk, decided []monitor.DecideInput, at []time.Duration) {
	t.Helper()
	env := setup(t)
	began := env.Now()
	plan := monitor.Plan{Calls: byIDs([]int64{1, 2}), SecondLook: 15 * time.Second}
	change(&plan)
	on(env, monitor.PlanCycle, anything).Return(plan, nil)
	on(env, monitor.PollChunk, anything).Return(func(_ context.Context, c monitor.Chunk) (monitor.PollResult, error) {
		asked, at = append(asked, c), append(at, env.Now().Sub(began))
		return answer(c)
	})
	on(env, monitor.Decide, anything).Return(func(_ context.Context, d monitor.DecideInput) (monitor.Todo, error) {
		decided = append(decided, d)
		return monitor.Todo{Voting: []int64{1}}, nil
	})
	on(env, monitor.Reconcile, anything).Maybe().After(20*time.Second).Return(monitor.Todo{}, nil)
	env.ExecuteWorkflow(monitor.Workflow.Name(), monitor.Input{Timing: policy.Defaults()})
	require.NoError(t, env.GetWorkflowError())
	return asked, decided, at
}

func TestAMatchWithAnOpenVoteIsLookedAtAgain(t *testing.T) {
	t.Parallel()
	changed := func(c monitor.Chunk) (monitor.PollResult, error) {
		return monitor.PollResult{Answered: len(c.IDs), Changed: c.IDs}, nil
	}
	as := func(*monitor.Plan) {}

	t.Run("it alone, after 15 s, as a poll of its own that takes nothing back", func(t *testing.T) {
		t.Parallel()
		asked, decided, at := secondLook(t, as, changed)
		require.Equal(t, []time.Duration{0, 15 * time.Second}, at)
		require.Equal(t, []int64{1}, asked[1].IDs)
		require.Len(t, decided, 2)
		require.Equal(t, monitor.DecideInput{Poll: asked[1].Poll, Changed: []int64{1}, SecondLook: true}, decided[1])
		require.False(t, decided[0].SecondLook)
		require.Equal(t, []string{"default-test-workflow-id", "default-test-run-id"}, []string{decided[0].Poll, decided[1].Poll}, "a run that the engine has, by either of its ids")
	})

	t.Run("one that fails says nothing, and is not tried again", func(t *testing.T) {
		t.Parallel()
		asked, decided, _ := secondLook(t, as, func(c monitor.Chunk) (monitor.PollResult, error) {
			if len(c.IDs) == 1 {
				return monitor.PollResult{}, errors.New("HTTP 500")
			}
			return changed(c)
		})
		require.Len(t, asked, 2, "the next cycle must not wait for it")
		require.Len(t, decided, 1)
	})

	for name, change := range map[string]func(*monitor.Plan){
		"not where the plan lacks the calls":     func(p *monitor.Plan) { p.SecondLook = 0 },
		"not when the cycle itself took so long": func(p *monitor.Plan) { p.Open = true },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked, _, _ := secondLook(t, change, changed)
			require.Len(t, asked, 1)
		})
	}
}

// TestASearchStartsBeforeHousekeeping: reconcile may take its time, or fail.
func TestASearchStartsBeforeHousekeeping(t *testing.T) {
	t.Parallel()
	env := setup(t)
	var order []string
	on(env, monitor.PlanCycle, anything).Return(monitor.Plan{Calls: byIDs([]int64{1}), Open: true, Sweep: true}, nil)
	on(env, monitor.PollChunk, anything).Return(monitor.PollResult{Answered: 1, Changed: []int64{1}}, nil)
	on(env, monitor.Decide, anything).Return(monitor.Todo{Searches: []monitor.Search{{Input: search.Input{FixtureID: 1, EventUID: "1-1"}, WorkflowID: "twitter-a"}}}, nil)
	on(env, monitor.Reconcile, anything).Return(func(context.Context, monitor.ReconcileInput) (monitor.Todo, error) {
		order = append(order, "reconcile")
		return monitor.Todo{}, errors.New("the engine does not answer")
	})
	on(env, cleanup.Sweep, anything).Return(func(context.Context, policy.Timing) error { order = append(order, "sweep"); return nil })
	env.OnWorkflow(search.Workflow.Name(), anything, anything).Return(func(workflow.Context, search.Input) (search.Output, error) {
		order = append(order, "search")
		return search.Output{}, nil
	})
	env.ExecuteWorkflow(monitor.Workflow.Name(), monitor.Input{Timing: policy.Defaults()})
	require.NoError(t, env.GetWorkflowError(), "the next cycle reconciles")
	require.Equal(t, []string{"search", "reconcile", "reconcile", "sweep"}, order)
}

// The engine refuses what is larger than 2 MB, and warns from 256 KB on.
func TestACycleOfManyMatchesHandsOnLittleAtATime(t *testing.T) {
	t.Parallel()
	const matches, perCall = 3000, 20
	env := setup(t)
	var plan monitor.Plan
	for first := int64(0); first < matches; first += perCall {
		var ids []int64
		for id := range int64(perCall) {
			ids = append(ids, 9_000_000_000+first+id)
		}
		plan.Calls = append(plan.Calls, byIDs(ids)...)
	}
	requireSmall(t, plan)
	on(env, monitor.PlanCycle, anything).Return(plan, nil)
	on(env, monitor.PollChunk, anything).Return(func(_ context.Context, c monitor.Chunk) (monitor.PollResult, error) {
		if c.IDs[0]%(2*perCall) == 0 {
			return monitor.PollResult{}, errors.New("HTTP 500: " + strings.Repeat("é", 50_000))
		}
		return monitor.PollResult{Answered: perCall, Changed: c.IDs}, nil
	})
	asked := map[int64]int{}
	on(env, monitor.Decide, anything).Return(func(_ context.Context, d monitor.DecideInput) (monitor.Todo, error) {
		requireSmall(t, d)
		for _, id := range d.Changed {
			asked[id]++
		}
		for _, f := range d.Failed {
			asked[f.ID]++
		}
		return monitor.Todo{}, nil
	})
	env.ExecuteWorkflow(monitor.Workflow.Name(), monitor.Input{Timing: policy.Defaults()})
	require.NoError(t, env.GetWorkflowError())
	require.Len(t, asked, matches)
	for id, n := range asked {
		require.Equal(t, 1, n, id)
	}
}

func requireSmall(t *testing.T, answer any) {
	t.Helper()
	text, err := json.Marshal(answer)
	require.NoError(t, err)
	require.Less(t, len(text), 256<<10)
}
