package stage

import (
	"context"

	"github.com/found-footy/found-footy/bench/chaos/plan"
	"github.com/found-footy/found-footy/bench/chaos/proc"
)

// FreePorts is for tests.
var FreePorts = freePorts

// With is a stage on which one process runs.
func With(name string, p *proc.Process) *Stage {
	return &Stage{Options: Options{Logf: func(string, ...any) {}}, Tally: newTally(), procs: map[string]*proc.Process{name: p}}
}

// Make makes a fault.
func (s *Stage) Make(ctx context.Context, f plan.Fault) error { return s.make(ctx, f) }
