package stage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/bench/chaos/plan"
	"github.com/found-footy/found-footy/bench/chaos/proc"
)

// running are the processes that have a database open, once all of them were started.
func (s *Stage) running(ctx context.Context, database string) ([]*proc.Process, error) {
	if database == plan.Engine {
		p, err := s.process(plan.Engine)
		return []*proc.Process{p}, err
	}
	for {
		worker, err := s.process(plan.Worker) // starts last, and on some days late
		if err == nil {
			web, err := s.process(plan.Web)
			all := []*proc.Process{worker, web}
			if second, none := s.process(plan.Second); none == nil {
				all = append(all, second)
			}
			return all, err
		}
		if !pause(ctx, 200*time.Millisecond) {
			return nil, context.Cause(ctx)
		}
	}
}

// without does something to a database while no process has it open.
func (s *Stage) without(ctx context.Context, database string, do func() error) error {
	all, err := s.running(ctx, database)
	if err != nil {
		return err
	}
	defer func() {
		for _, p := range all {
			p.Release()
		}
	}()
	for _, p := range all {
		if err := p.Hold(ctx); err != nil {
			return err
		}
	}
	return do()
}

// database names the files of one: all begin with it.
func (s *Stage) database(name string) string {
	if name == plan.Engine {
		return filepath.Join(s.engine, "temporal.db")
	}
	return filepath.Join(s.Dir, stateDir, "footy.db")
}

// rewind brings a database back as it was a while ago: stopped, copied, started; stopped, put back, started.
func (s *Stage) rewind(ctx context.Context, f plan.Fault) error {
	files, saved := s.database(f.Target), filepath.Join(s.Dir, f.Target+"-saved")
	if err := s.without(ctx, f.Target, func() error { return copyFiles(files, saved) }); err != nil {
		return err
	}
	pause(ctx, f.For)
	err := s.without(ctx, f.Target, func() error {
		if err := copyFiles(saved, files); err != nil || f.Target != plan.State {
			return err
		}
		return s.command(ctx, "clips", "adopt") // the bucket has the mark of a later database
	})
	s.Tally.add(f.Kind, f.Target)
	s.say("%-9s %s by %s", f.Kind, f.Target, f.For)
	return err
}

// restore makes a backup and brings it back a while later, with the product's own commands: while the product runs, which must be refused,
// and while it is stopped.
func (s *Stage) restore(ctx context.Context, f plan.Fault) error {
	dir := filepath.Join(s.Dir, "backup")
	if err := s.command(ctx, "backup", dir); err != nil {
		return err
	}
	s.say("%-9s backup made", f.Kind)
	all, err := s.running(ctx, f.Target)
	if err != nil {
		return err
	}
	living := map[int]*proc.Process{} // by number, for as long as they are not started again
	for _, p := range all {
		living[p.PID()] = p
	}
	pause(ctx, f.For)
	if err := s.underLoad(ctx, living, dir); err != nil {
		return err
	}
	err = s.without(ctx, f.Target, func() error { return s.command(ctx, "restore", "--force", dir) })
	s.Tally.add(f.Kind, f.Target)
	s.say("%-9s %s by %s", f.Kind, f.Target, f.For)
	return err
}

// underLoad is an error unless a restore is refused because of the processes that have the database open. They use an engine elsewhere, so
// none of them has the lock of the state directory. living are those that have run for a while.
func (s *Stage) underLoad(ctx context.Context, living map[int]*proc.Process, dir string) error {
	ctx, cancel := context.WithTimeout(ctx, commandWithin)
	defer cancel()
	for {
		text, err := s.once(ctx, s.Footy, "restore", "--force", dir)
		if err != nil && strings.Contains(text, "is in use by") {
			s.say("footy     restore: %s", text)
			return nil
		}
		for pid, p := range living {
			if err == nil && pid != 0 && p.PID() == pid {
				return fmt.Errorf("a restore replaced the database under process %d: %s", pid, text)
			}
		}
		s.say("footy     restore under load: %s", text) // all were being started, or a fault of the day was in its way
		if !pause(ctx, time.Second) {
			return fmt.Errorf("no restore was refused while the product ran: %w: %s", context.Cause(ctx), text)
		}
	}
}

// commandWithin is longer than any fault lasts that a command may meet.
const commandWithin = 3 * time.Minute

// command runs footy beside the product, again while a fault of the day keeps it from its work.
func (s *Stage) command(ctx context.Context, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, commandWithin)
	defer cancel()
	for {
		cmd := exec.CommandContext(ctx, s.Footy, args...) //nolint:gosec // the program to test is the caller's choice
		cmd.Env, cmd.Dir = s.Env(), s.Dir
		text, err := cmd.CombinedOutput()
		if err == nil {
			return nil
		}
		s.say("footy     %s: %s", args[0], strings.TrimSpace(string(text)))
		if !pause(ctx, time.Second) {
			return fmt.Errorf("footy %s: %w: %s", args[0], err, strings.TrimSpace(string(text)))
		}
	}
}

// lose deletes the engine's files.
func (s *Stage) lose(ctx context.Context, f plan.Fault) error {
	err := s.without(ctx, f.Target, func() error {
		pause(ctx, f.For)
		return removeFiles(s.database(f.Target))
	})
	s.Tally.add(f.Kind, f.Target)
	s.say("%-9s %s", f.Kind, f.Target)
	return err
}

func (s *Stage) freeze(ctx context.Context, name string) (restore func() error, err error) {
	all, err := s.running(ctx, name)
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		p.Freeze()
	}
	return func() error {
		for _, p := range all {
			p.Thaw()
		}
		return nil
	}, nil
}

// Operator does in a day of chaos what docs/troubleshooting.md asks of an operator.
const Operator = "operator"

// setClocks makes the clocks of product and engine wrong, also those of processes that are started meanwhile. The world, people and the
// object store are elsewhere.
func (s *Stage) setClocks(ctx context.Context, ahead time.Duration) (restore func() error, err error) {
	product, err := s.running(ctx, plan.State)
	if err != nil {
		return nil, err
	}
	engine, err := s.running(ctx, plan.Engine)
	if err != nil {
		return nil, err
	}
	set := func(to time.Duration) (err error) {
		for _, p := range slices.Concat(product, engine) {
			err = errors.Join(err, p.SetClock(to))
		}
		return err
	}
	if err := set(ahead); errors.Is(err, errors.ErrUnsupported) {
		return nil, fmt.Errorf("%w; on this machine make chaos WITHOUT=%s", err, plan.Clock)
	} else if err != nil {
		return nil, err
	}
	return func() error {
		err := set(0)
		if ahead > 0 && err == nil { // the engine runs apart, so it is not restarted by footy
			err = s.without(ctx, plan.Engine, func() error { return removeFiles(s.database(plan.Engine)) })
			s.Tally.add(Operator, plan.Engine)
			s.say("%-9s gives the engine a new database, for it stands still after a clock that was ahead", Operator)
		}
		return err
	}, nil
}

// ends are what SQLite appends to the name of a database.
var ends = []string{"", "-wal", "-shm"}

func removeFiles(database string) error {
	var err error
	for _, end := range ends {
		if gone := os.Remove(database + end); !errors.Is(gone, os.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}

// copyFiles makes the files of one database those of another.
func copyFiles(from, to string) error {
	if err := removeFiles(to); err != nil {
		return err
	}
	for _, end := range ends {
		b, err := os.ReadFile(from + end)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err == nil {
			err = os.WriteFile(to+end, b, 0o600)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
