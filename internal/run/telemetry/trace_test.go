package telemetry_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"

	"github.com/found-footy/found-footy/internal/run/telemetry"
)

func TestWithoutACollectorNothingIsIntercepted(t *testing.T) {
	t.Parallel()
	var none *telemetry.Traces
	require.Empty(t, none.Interceptors())
	none.Close()
}

// What a collector does not take holds nothing up, and many batches that fail are one line.
func TestACollectorThatRefusesIsToldOfOnce(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	refuses := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(refuses.Close)
	traces, err := telemetry.NewTraces(t.Context(), refuses.URL, "test", telemetry.NewLogger(&log, telemetry.Options{}))
	require.NoError(t, err)
	traced, ok := traces.Interceptors()[0].(interceptor.WorkerInterceptor)
	require.True(t, ok, "a worker takes it over from its client")
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(telemetry.Temporal(telemetry.NewLogger(new(bytes.Buffer), telemetry.Options{})))
	env := suite.NewTestActivityEnvironment()
	env.SetWorkerOptions(worker.Options{Interceptors: []interceptor.WorkerInterceptor{traced}})
	work := func(context.Context) error { return nil }
	env.RegisterActivity(work)
	for range 1200 { // a batch has 512
		_, err := env.ExecuteActivity(work)
		require.NoError(t, err)
	}
	traces.Close()
	require.Equal(t, 1, strings.Count(log.String(), "traces are lost"), log.String())
}
