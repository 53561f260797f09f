package stage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/found-footy/found-footy/bench/chaos/plan"
)

// installed is the program that worker and page are started by: a link, so that the next start is another release's.
func (s *Stage) installed() string { return filepath.Join(s.Dir, "footy") }

// install points the link at the release that plays.
func (s *Stage) install() error {
	program := s.Footy
	if s.former.Load() {
		program = s.Former
	}
	next := s.installed() + ".next"
	return errors.Join(os.Symlink(program, next), os.Rename(next, s.installed()))
}

// upgrade replaces the release before, which played the day until now.
func (s *Stage) upgrade(ctx context.Context, f plan.Fault) error {
	err := s.without(ctx, f.Target, func() error {
		pause(ctx, f.For)
		s.former.Store(false)
		return s.install()
	})
	s.Tally.add(f.Kind, f.Target)
	s.say("%-9s this release goes on", f.Kind)
	return err
}

// older starts the release before in the place of worker and page.
func (s *Stage) older(ctx context.Context, f plan.Fault) error {
	err := s.without(ctx, f.Target, func() error { return s.refused(ctx) })
	s.Tally.add(f.Kind, f.Target)
	s.say("%-9s the release before was started in between", f.Kind)
	return err
}

// refused is an error unless the release before refuses the database and leaves it as it was.
func (s *Stage) refused(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, commandWithin)
	defer cancel()
	database := s.database(plan.State)
	for ; ; pause(ctx, time.Second) { // what was killed left a journal, which the next one to close the database moves into it
		_, _ = s.once(ctx, s.Footy, "audit") // whatever it finds
		if _, err := os.Stat(database + "-wal"); errors.Is(err, os.ErrNotExist) {
			break
		}
		if ctx.Err() != nil {
			return fmt.Errorf("close the database: %w", ctx.Err())
		}
	}
	before, err := os.ReadFile(database)
	if err != nil {
		return err
	}
	for _, role := range []string{"worker", "web"} {
		for ; ; pause(ctx, time.Second) { // a fault of the day may be in its way
			text, err := s.once(ctx, s.Former, role)
			switch {
			case strings.Contains(text, "written by a newer version"):
			case err == nil, ctx.Err() != nil:
				return errors.Join(fmt.Errorf("%s of the release before did not refuse the database: %s", role, text), err)
			default:
				s.say("former    %s: %s", role, text)
				continue
			}
			break
		}
	}
	after, err := os.ReadFile(database)
	if err == nil && !bytes.Equal(before, after) {
		err = errors.New("the release before changed the database that it refused")
	}
	return err
}

// once runs a program on the product's state until it ends.
func (s *Stage) once(ctx context.Context, program string, args ...string) (text string, err error) {
	cmd := exec.CommandContext(ctx, program, args...) //nolint:gosec // the programs to test are the caller's choice
	cmd.Env, cmd.Dir = append(s.Env(), "WEB_ADDR=127.0.0.1:0"), s.Dir
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}
