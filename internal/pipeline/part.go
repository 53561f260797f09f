package pipeline

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/pipeline/footage"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
)

// Part is what an extra adds to a worker.
type Part struct {
	Workflows  []WorkflowType
	Activities []policy.Registration
	Footage    footage.Known                                  // of at most one extra; nil: nothing
	Sweep      func(ctx context.Context, now time.Time) error // after the core's own, also where that failed; nil: nothing
	Run        func(ctx context.Context)                      // until the worker is told to stop; nil: nothing
}
