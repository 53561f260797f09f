package pipeline_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
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
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/canary"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
	"github.com/found-footy/found-footy/internal/pipeline/upload"
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

// TestEveryWorkflowHasARunTimeOut: one that hangs ends, and is begun again from the ledger. Upload is started by a
// signal (TestEverySignalToUploadGivesItARunTimeOut), the search by an operator too (package operator).
func TestEveryWorkflowHasARunTimeOut(t *testing.T) {
	t.Parallel()
	want := map[string]time.Duration{monitor.Workflow.Name(): 3 * time.Minute, search.Workflow.Name(): 2 * time.Hour, download.Workflow.Name(): 3 * time.Hour,
		upload.Workflow.Name(): 6 * time.Hour, alias.Workflow.Name(): time.Hour, ingest.Workflow.Name(): time.Hour, canary.Workflow.Name(): time.Hour}

	t.Run("schedules", func(t *testing.T) {
		t.Parallel()
		p := &planner{}
		require.NoError(t, pipeline.Schedules{Monitor: 30 * time.Second, Canary: 6 * time.Hour}.Ensure(t.Context(), p))
		require.Len(t, p.asked, 3)
		for _, o := range p.asked {
			a, ok := o.Action.(*client.ScheduleWorkflowAction)
			require.True(t, ok)
			require.Equal(t, want[a.Workflow.(string)], a.WorkflowRunTimeout, o.ID)
		}
	})

	children := func(t *testing.T, env *testsuite.TestWorkflowEnvironment, searches bool) *[]string {
		t.Helper()
		var seen []string
		note := func(ctx workflow.Context) {
			i := workflow.GetInfo(ctx)
			require.Equal(t, want[i.WorkflowType.Name], i.WorkflowRunTimeout, i.WorkflowType.Name)
			seen = append(seen, i.WorkflowType.Name)
		}
		if searches {
			env.OnWorkflow(search.Workflow.Name(), anything, anything).Return(func(ctx workflow.Context, _ search.Input) (search.Output, error) {
				note(ctx)
				return search.Output{}, nil
			})
		}
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
		on(env, monitor.Reconcile, anything).Return(monitor.Todo{Searches: []monitor.Search{{WorkflowID: "twitter-a"}}, Downloads: []monitor.Download{{WorkflowID: "download1"}}}, nil)
		env.ExecuteWorkflow(monitor.Workflow.Name(), monitor.Input{Timing: policy.Defaults()})
		require.NoError(t, env.GetWorkflowError())
		require.Equal(t, []string{search.Workflow.Name(), download.Workflow.Name()}, *seen)
	})

	t.Run("what a search starts", func(t *testing.T) {
		t.Parallel()
		env := setup(t)
		seen := children(t, env, false)
		on(env, search.BeginSearch, anything).Return(search.Beginning{Round: 1, NeedAliases: true, Team: footy.Team{ID: 40}}, nil)
		on(env, search.Search, anything).Return(search.SearchResult{Download: "download1", Over: true}, nil)
		on(env, search.EndSearch, anything).Return(nil)
		env.ExecuteWorkflow(search.Workflow.Name(), search.Input{Timing: policy.Defaults()})
		require.NoError(t, env.GetWorkflowError())
		require.ElementsMatch(t, []string{alias.Workflow.Name(), download.Workflow.Name()}, *seen)
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
}
