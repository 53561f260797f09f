package stage

import (
	"context"

	"github.com/found-footy/found-footy/bench/chaos/plan"
	"github.com/found-footy/found-footy/bench/chaos/proc"
)

// With is a stage on which one process runs.
func With(name string, p *proc.Process) *Stage {
	return &Stage{Options: Options{Logf: func(string, ...any) {}}, Tally: newTally(), procs: map[string]*proc.Process{name: p}}
}

// Make makes a fault.
func (s *Stage) Make(ctx context.Context, f plan.Fault) error { return s.make(ctx, f) }

// Released is a stage in a directory on which the release before plays, as far as the plan has it do so. Start starts worker and page.
func Released(dir, footy, former string, p plan.Plan) (*Stage, error) {
	s := &Stage{Options: Options{Dir: dir, Footy: footy, Former: former, Plan: p, Starter: proc.NewStarter(), Logf: func(string, ...any) {}}, Tally: newTally(),
		procs: map[string]*proc.Process{}, env: map[string][]string{}, steps: map[string]*steps{plan.Worker: {left: p.Steps}}, died: map[string]string{}, Temp: dir}
	s.former.Store(p.Has(plan.Upgrade))
	return s, s.install()
}

// StartProduct starts worker and page.
func (s *Stage) StartProduct(ctx context.Context) error {
	for _, name := range []string{plan.Worker, plan.Web} {
		if err := s.start(ctx, name, s.installed(), func(string) bool { return true }, name); err != nil {
			return err
		}
	}
	return nil
}

// Process is a process of the stage.
func (s *Stage) Process(name string) (*proc.Process, error) { return s.process(name) }

// Log is where a process writes to.
func (s *Stage) Log(name string) string { return s.log(name) }
