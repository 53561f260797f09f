package app

import (
	"context"
	"errors"
	"os"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/tell/web/media"
	"github.com/found-footy/found-footy/internal/tell/web/session"
)

// SetUp is what the set-up page was told. It outlives a start that fails with it.
type SetUp struct {
	Again func() // starts the process anew with the settings that were written
	page  *firstRun
	door  *session.Door
	alone bool // a start failed: only the page runs
}

// Up runs all roles until ctx ends, and anew when the set-up page has written settings. Where a start with them fails, they are taken out
// again and the page alone asks once more, with what was entered and the reason. It gets a state directory of its own, dir: the state
// may be what failed.
func Up(ctx context.Context, run func(ctx context.Context, r Roles, dir string) error) error {
	s := &SetUp{}
	for {
		s.alone = false
		anew, err := s.once(ctx, run, Roles{Worker: true, Web: true, Browser: true, SetUp: s}, "")
		if anew {
			continue
		}
		if ctx.Err() != nil || !s.cameToNothing() {
			return err
		}
		if anew, failed := s.ask(ctx, run, err); !anew {
			return failed
		}
	}
}

// once runs until it ends; anew: since the page wants that.
func (s *SetUp) once(ctx context.Context, run func(context.Context, Roles, string) error, r Roles, dir string) (anew bool, err error) {
	running, stop := context.WithCancel(ctx)
	defer stop()
	s.Again = stop
	err = run(running, r, dir)
	return running.Err() != nil && ctx.Err() == nil, err
}

// ask runs the page alone, which says why the start failed.
func (s *SetUp) ask(ctx context.Context, run func(context.Context, Roles, string) error, why error) (anew bool, err error) {
	if err := s.page.takeBack(why); err != nil {
		return false, errors.Join(why, err)
	}
	dir, err := os.MkdirTemp("", "footy-setup-*")
	if err != nil {
		return false, errors.Join(why, err)
	}
	defer os.RemoveAll(dir)
	s.alone = true
	if anew, err = s.once(ctx, run, Roles{Web: true, SetUp: s}, dir); anew || ctx.Err() != nil {
		return anew, err
	}
	return false, why // the page cannot be shown either
}

// cameToNothing tells that settings were written and nothing has run with them yet.
func (s *SetUp) cameToNothing() bool { return s.page != nil && s.page.starts() }

// wellStarted tells that all runs: what was written stays.
func (s *SetUp) wellStarted() {
	if s != nil && s.page != nil {
		s.page.mu.Lock()
		defer s.page.mu.Unlock()
		s.page.undo = nil
	}
}

// open is the page with what was entered before.
func (s *SetUp) open(a *App, logos *media.Logos) (*firstRun, error) {
	if s.page == nil {
		s.door = session.NewDoor()
		var err error
		if s.page, err = newFirstRun(a.Config, a.Version); err != nil {
			return nil, err
		}
	}
	f := s.page
	f.mu.Lock()
	defer f.mu.Unlock()
	f.again, f.logos, f.alone = s.Again, logos, s.alone
	f.stored = func(ctx context.Context) ([]footy.Fixture, error) { return a.Store.List(ctx, store.FixtureQuery{}) }
	for _, p := range f.stopped {
		a.Log.Error("not started with what was entered on the set-up page: "+p.Reason, "module", "app", "action", "start")
	}
	return f, nil
}

// takeBack takes out of the settings what was written, and keeps it on the page with why nothing starts with it.
func (f *firstRun) takeBack(why error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.undo(); err != nil {
		return err
	}
	f.undo, f.away = nil, false
	f.stopped = []health.Part{{Name: "the start", State: health.StateDown, Reason: plain(footy.UserMessage(why)),
		Remedy: "What you entered is kept here, and nothing is written. Put that right and start again."}}
	return nil
}
