package pipeline_test

import (
	"testing"

	"github.com/stretchr/testify/mock"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/testsuite"

	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/ingest/alias"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/pipeline/policy/enginetest"
	"github.com/found-footy/found-footy/internal/pipeline/search"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/canary"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
	"github.com/found-footy/found-footy/internal/pipeline/upload"
)

// setup makes an environment with skipped time in which every workflow and activity is registered under its own name.
// Activities must be mocked: their structs are nil.
func setup(t *testing.T, between ...interceptor.WorkerInterceptor) *testsuite.TestWorkflowEnvironment {
	t.Helper()
	env := enginetest.Workflow(between...)
	pipeline.Workflows(env)
	pipeline.Activities{Ingest: &ingest.Activities{}, Monitor: &monitor.Activities{}, Alias: &alias.Activities{},
		Search: &search.Activities{}, Download: &download.Activities{}, Upload: &upload.Activities{}, Canary: &canary.Activities{}, Cleanup: &cleanup.Activities{}}.Register(env)
	t.Cleanup(func() { env.AssertExpectations(t) })
	return env
}

// named is an activity.
type named interface{ Name() string }

func on(env *testsuite.TestWorkflowEnvironment, a named, in any) *testsuite.MockCallWrapper {
	return env.OnActivity(a.Name(), mock.Anything, in)
}

var anything = mock.Anything
