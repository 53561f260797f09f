// Package enginetest is Temporal's simulated engine as the pipeline's tests use it.
package enginetest

import (
	"log/slog"
	"os"

	sdklog "go.temporal.io/sdk/log"
	"go.temporal.io/sdk/testsuite"
)

// New returns an engine that says only what went wrong: by default it prints a line for each thing an activity does, thousands in a
// package, and what a failed test said is lost among them.
func New() *testsuite.WorkflowTestSuite {
	var s testsuite.WorkflowTestSuite
	s.SetLogger(sdklog.NewStructuredLogger(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))))
	return &s
}
