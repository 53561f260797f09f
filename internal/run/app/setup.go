package app

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"slices"

	"github.com/found-footy/found-footy/internal/connect/feed/follow"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/tell/teller"
	"github.com/found-footy/found-footy/internal/tell/web"
)

// SetUp asks for settings. It outlives a start that fails with them.
type SetUp struct {
	port.SetUp
	Again func() // starts the process anew with the settings that were written
	alone bool   // a start failed: only the page runs
}

// Up runs all roles until ctx ends, and anew when the set-up page has written settings. Where a start with them fails, they are taken out
// again, and it goes on with those before. Where there were none the page alone asks once more, with what was entered and the reason. It gets
// a state directory of its own, dir: the state may be what failed.
func Up(ctx context.Context, extras []port.Extra, run func(ctx context.Context, r Roles, dir string) error) error {
	r := Roles{Worker: true, Web: true, Browser: true}
	for _, e := range extras {
		if e.SetUp != nil {
			r.SetUp = &SetUp{SetUp: e.SetUp()}
		}
	}
	if r.SetUp == nil {
		return run(ctx, r, "")
	}
	for {
		r.SetUp.alone = false
		anew, err := r.SetUp.once(ctx, run, r, "")
		if !anew && ctx.Err() == nil && r.SetUp.Pending() {
			first, kept := r.SetUp.TakeBack(err)
			switch {
			case kept != nil:
				return errors.Join(err, kept)
			case !first:
				anew = true
			default:
				anew, err = r.SetUp.ask(ctx, run, err)
			}
		}
		if !anew {
			return err
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

// show puts the set-up page among the others.
func (a *App) show(s *SetUp, o *web.Options) (err error) {
	o.Setup, o.Door, err = s.Show(port.Trial{Config: a.Config, Log: a.Log, Logos: o.Logos, Alone: s.alone, Again: s.Again,
		HaveClips: func(ctx context.Context) (bool, error) {
			known, err := a.Store.List(ctx, store.FixtureQuery{})
			return haveClips(known), err
		},
		Feed: func(c config.Config, names map[string]json.RawMessage) port.Feed {
			b := &App{Config: c, Log: slog.New(slog.DiscardHandler), Version: a.Version, noted: names}
			b.clients()
			return port.Feed{Feed: b.Feed, Finder: b.Finder, Follow: func(t config.Track) *follow.Following {
				b.Follows = b.following("TRACK", t.Leagues, t.Teams)
				return b.Follows
			}}
		},
		Doctor: func(ctx context.Context, c config.Config) []health.Part { return Doctor(ctx, c, a.Version) },
		Notify: func(c config.Config, extra string) ([]teller.Teller, error) {
			only := slices.DeleteFunc(slices.Clone(a.Extras), func(e port.Extra) bool { return e.Name != extra })
			return TestNotifications(c, only...)
		},
		Model: LookAtModel,
	})
	return err
}
