package app

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"go.temporal.io/sdk/client"

	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/decide/news"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/config/rules"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/run/state"
	"github.com/found-footy/found-footy/internal/tell/teller"
	"github.com/found-footy/found-footy/internal/tell/web/stream"
)

// core is what this process lends to extras; one with a page adds what runs, and without that it serves for a look at the settings.
func (a *App) core() port.Core {
	return port.Core{Config: a.Config, Version: a.Version, Log: a.Log, Store: a.Store, Docs: a.Docs, Blob: a.Blob, Media: a.Media, PageURL: a.pageURL(),
		Remade: port.Remade(a.Extras), Room: state.Room(a.Config), Chosen: a.choose}
}

// looks are those of the extras.
func (a *App) looks() (out []check.Look) {
	for _, e := range a.Extras {
		if e.Looks != nil {
			out = append(out, e.Looks(a.core())...)
		}
	}
	return out
}

// parts are what the extras add to a worker.
func (a *App) parts(c client.Client, page footy.Publisher, d port.Duty) (out []pipeline.Part, err error) {
	core := a.core()
	core.Temporal, core.Page = c, page
	for _, e := range a.Extras {
		if e.Worker == nil {
			continue
		}
		p, err := e.Worker(core, d)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// tellers report news outside of the page.
func (a *App) tellers(core port.Core) ([]teller.Teller, error) {
	a.chosen = nil
	var out []teller.Teller
	for _, e := range a.Extras {
		if e.Tellers == nil {
			continue
		}
		made, err := e.Tellers(core)
		if err != nil {
			return nil, err
		}
		out = append(out, made...)
	}
	return out, nil
}

// askAgain is how long after a try that failed the feed is asked again about names.
const askAgain = 10 * time.Minute

// choose makes a filter of the goals that settings choose, as soon as their names are looked up; until then is what does not happen.
func (a *App) choose(prefix, until string, leagues, teams, kinds []string) func(context.Context) (news.Filter, error) {
	whose := a.following(prefix, leagues, teams)
	a.chosen = append(a.chosen, whose)
	var mu sync.Mutex
	var tried time.Time
	var failed error
	return func(ctx context.Context) (news.Filter, error) {
		mu.Lock()
		defer mu.Unlock()
		if failed != nil && time.Since(tried) < askAgain {
			return news.Filter{}, failed
		}
		var f lifecycle.Follow
		tried = time.Now()
		if f, failed = whose.Follow(ctx); failed != nil {
			a.Log.Warn(until+" until the names in the settings are looked up: "+footy.UserMessage(failed), "module", "app", "action", "notify")
		}
		restored, err := store.Restored(ctx, a.Store)
		return news.Filter{All: len(f.Teams)+len(f.Leagues) == 0, Teams: f.Teams, Leagues: f.Leagues, Kinds: rules.Kinds(kinds), After: restored}, errors.Join(failed, err)
	}
}

// pageURL is the address that links in messages begin with.
func (a *App) pageURL() string {
	if a.Config.Web.PublicURL != "" {
		return a.Config.Web.PublicURL
	}
	return "http://" + a.Config.Web.Addr
}

// releaseWithin is what giving leases back may take when the process is asked to stop.
const releaseWithin = 2 * time.Second

// runTellers runs them, and gives back what this process held for them.
func (a *App) runTellers(ctx context.Context, all []teller.Teller, hub *stream.Hub) {
	teller.Run(ctx, all, hub, a.Log)
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseWithin)
	defer cancel()
	a.leases.Release(last)
}

// TestNotifications tries every target that reports news outside of the page.
func TestNotifications(c config.Config, extras ...port.Extra) ([]teller.Teller, error) {
	a := &App{Config: c, Log: slog.New(slog.DiscardHandler), Extras: extras}
	a.clients()
	all, err := a.tellers(a.core())
	if err == nil && len(all) == 0 {
		err = footy.Errorf(footy.CodeInvalid, "test notifications", "nothing is set up that could be tried; docs/README.md says what there is")
	}
	return teller.Testable(all), err
}
