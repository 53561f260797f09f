package pipeline_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/ingest/alias"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/search"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
)

// planner remembers which schedules it was asked for.
type planner struct {
	client.Client
	plans
}

func (p *planner) ScheduleClient() client.ScheduleClient { return &p.plans }

type plans struct {
	client.ScheduleClient
	asked []client.ScheduleOptions
}

func (p *plans) Create(_ context.Context, o client.ScheduleOptions) (client.ScheduleHandle, error) {
	p.asked = append(p.asked, o)
	return nil, nil
}

func (p *plans) GetHandle(context.Context, string) client.ScheduleHandle { return noSchedule{} }

// noSchedule is missing, and takes its seal once it was made.
type noSchedule struct{ client.ScheduleHandle }

func (noSchedule) Describe(context.Context) (*client.ScheduleDescription, error) {
	return nil, serviceerror.NewNotFound("no such schedule")
}

func (noSchedule) Update(context.Context, client.ScheduleUpdateOptions) error { return nil }

// TestEveryWorkflowHasARunTimeOut: one that hangs ends, and is begun again from the ledger. Each registered type is seen to be started
// with its own.
func TestEveryWorkflowHasARunTimeOut(t *testing.T) {
	t.Parallel()
	want := map[string]time.Duration{}
	for _, w := range pipeline.WorkflowTypes() {
		want[w.Name()] = w.Limit()
		require.Positive(t, w.Limit(), w.Name())
		require.LessOrEqual(t, w.Limit(), 6*time.Hour, w.Name())
	}
	var mu sync.Mutex
	started := map[string]bool{}
	t.Run("by", func(t *testing.T) { //nolint:paralleltest // what follows looks at what all of them started
		starts(t, func(t *testing.T, name any, limit time.Duration) {
			t.Helper()
			mu.Lock()
			defer mu.Unlock()
			started[name.(string)] = true
			require.Equal(t, want[name.(string)], limit, name)
		})
	})
	for name := range want {
		require.True(t, started[name], "nothing here starts %s", name)
	}
}

// starts has each workflow started by what starts it.
func starts(t *testing.T, note func(t *testing.T, name any, limit time.Duration)) {
	t.Helper()
	t.Run("schedules", func(t *testing.T) {
		t.Parallel()
		p := &planner{}
		_, err := pipeline.Schedules{Monitor: 30 * time.Second, Canary: 6 * time.Hour}.Ensure(t.Context(), p, time.Now())
		require.NoError(t, err)
		require.Len(t, p.asked, 3)
		for _, o := range p.asked {
			a, ok := o.Action.(*client.ScheduleWorkflowAction)
			require.True(t, ok)
			note(t, a.Workflow, a.WorkflowRunTimeout)
		}
	})

	children := func(t *testing.T, env *testsuite.TestWorkflowEnvironment, searches bool) *[]string {
		t.Helper()
		var seen []string
		note := func(ctx workflow.Context) {
			i := workflow.GetInfo(ctx)
			note(t, i.WorkflowType.Name, i.WorkflowRunTimeout)
			seen = append(seen, i.WorkflowType.Name)
		}
		if searches {
			env.OnWorkflow(search.Workflow.Name(), anything, anything).Return(func(ctx workflow.Context, _ search.Input) (search.Output, error) {
				note(ctx)
				return search.Output{}, nil
			})
		}
		env.OnWorkflow(search.AheadWorkflow.Name(), anything, anything).Maybe().Return(func(ctx workflow.Context, _ search.AheadInput) (search.SearchResult, error) {
			note(ctx)
			return search.SearchResult{}, nil
		})
		env.OnWorkflow(download.Workflow.Name(), anything, anything).Maybe().Return(func(ctx workflow.Context, _ download.Input) (download.Output, error) {
			note(ctx)
			return download.Output{}, nil
		})
		env.OnWorkflow(alias.Workflow.Name(), anything, anything).Maybe().Return(func(ctx workflow.Context, _ alias.Input) (footy.TeamAliases, error) {
			note(ctx)
			return footy.TeamAliases{}, nil
		})
		return &seen
	}

	t.Run("what Monitor starts", func(t *testing.T) {
		t.Parallel()
		env := setup(t)
		seen := children(t, env, true)
		on(env, monitor.PlanCycle, anything).Return(monitor.Plan{Open: true}, nil)
		on(env, monitor.Reconcile, anything).Return(monitor.Todo{Searches: []monitor.Search{{WorkflowID: "twitter-a"}}, Downloads: []monitor.Download{{WorkflowID: "download1"}}, Ahead: []monitor.Ahead{{WorkflowID: "ahead1"}}}, nil)
		env.ExecuteWorkflow(monitor.Workflow.Name(), monitor.Input{Timing: policy.Defaults()})
		require.NoError(t, env.GetWorkflowError())
		require.ElementsMatch(t, []string{search.Workflow.Name(), download.Workflow.Name(), search.AheadWorkflow.Name()}, *seen)
	})

	t.Run("what a search starts", func(t *testing.T) {
		t.Parallel()
		env := setup(t)
		seen := children(t, env, false)
		on(env, search.BeginSearch, anything).Return(search.Beginning{Round: 1, NeedAliases: true, Input: alias.Input{Team: footy.Team{ID: 40}}}, nil)
		on(env, search.Search, anything).Return(search.SearchResult{Over: true}, nil)
		on(env, search.EndSearch, anything).Return(nil)
		env.ExecuteWorkflow(search.Workflow.Name(), search.Input{Timing: policy.Defaults()})
		require.NoError(t, env.GetWorkflowError())
		require.Equal(t, []string{alias.Workflow.Name()}, *seen)
		b := newBench(t)
		b.x.find = finds("1")
		must[any](b, search.Search, search.SearchInput{Input: search.Input{FixtureID: matchID, EventUID: oneGoal, Timing: timing()}, Round: 1, Try: 1})
		require.Len(t, b.engine.options, 1)
		note(t, b.engine.names[0], b.engine.options[0].WorkflowRunTimeout)
	})

	t.Run("what Ingest starts", func(t *testing.T) {
		t.Parallel()
		env := setup(t)
		seen := children(t, env, false)
		on(env, ingest.StoreDay, anything).Maybe().Return(ingest.Stored{}, nil)
		env.OnActivity(ingest.MissingAliases.Name(), anything).Maybe().Return([]alias.Input{{Team: footy.Team{ID: 40}}}, nil)
		env.OnActivity(cleanup.Cleanup.Name(), anything).Maybe().Return(0, nil)
		env.ExecuteWorkflow(ingest.Workflow.Name(), ingest.Input{})
		require.NoError(t, env.GetWorkflowError())
		require.Equal(t, []string{alias.Workflow.Name()}, *seen)
	})
	t.Run("what a Download signals", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		must[any](b, download.QueueUpload, b.open())
		require.Len(t, b.engine.options, 1)
		note(t, b.engine.names[0], b.engine.options[0].WorkflowRunTimeout)
	})
}
