// Package enginetest is Temporal's simulated engine as the pipeline's tests use it.
package enginetest

import (
	"log/slog"
	"os"
	"time"

	"go.temporal.io/sdk/interceptor"
	sdklog "go.temporal.io/sdk/log"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"
)

// patience tells a hang from a slow machine. The engine's own is a second for workflow code and three for a test.
const patience = 10 * time.Minute

// suite is an engine that says only what went wrong: by default it prints a line for each thing an activity does, thousands in a
// package, and what a failed test said is lost among them.
func suite() *testsuite.WorkflowTestSuite {
	var s testsuite.WorkflowTestSuite
	s.SetLogger(sdklog.NewStructuredLogger(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))))
	return &s
}

// Workflow returns an environment for one workflow, with time skipped.
func Workflow(between ...interceptor.WorkerInterceptor) *testsuite.TestWorkflowEnvironment {
	env := suite().NewTestWorkflowEnvironment()
	env.SetTestTimeout(patience)
	env.SetWorkerOptions(worker.Options{Interceptors: between, DeadlockDetectionTimeout: patience})
	return env
}

// Activity returns an environment for activities.
func Activity(between ...interceptor.WorkerInterceptor) *testsuite.TestActivityEnvironment {
	env := suite().NewTestActivityEnvironment()
	env.SetTestTimeout(patience)
	env.SetWorkerOptions(worker.Options{Interceptors: between})
	return env
}
