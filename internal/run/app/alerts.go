package app

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed/follow"
	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/decide/news"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/tell/alert"
	"github.com/found-footy/found-footy/internal/tell/push"
	"github.com/found-footy/found-footy/internal/tell/web/stream"
	"golang.org/x/sync/errgroup"
)

// newAlerter tells people outside of the page; nil if nobody is to be told. look and page are nil for a look at the
// addresses.
func (a *App) newAlerter(look *check.Checker, page footy.Publisher) (*alert.Alerter, error) {
	c := a.Config.Notifications
	if len(c.Addresses()) == 0 && !a.Config.Posting.On() {
		return nil, nil //nolint:nilnil // nobody is to be told
	}
	o := alert.Options{Store: a.Store, URLs: c.Addresses(), Filter: a.chosen(a.Tells, nil, "nobody is told of goals"), BaseURL: a.pageURL()}
	targets, err := a.postingTargets(page)
	if err != nil {
		return nil, err
	}
	for _, t := range targets {
		o.Channels = append(o.Channels, t)
	}
	if look != nil {
		o.Health, o.Lead = look.Last, a.leases.Hold
	}
	n, err := alert.New(o)
	if err != nil {
		return nil, footy.Errorf(footy.CodeInvalid, "read settings", "NOTIFICATIONS: %s", network.Shorten(err))
	}
	return n, nil
}

// askAgain is how long after a try that failed the feed is asked again about names.
const askAgain = 10 * time.Minute

// chosen is who is told of which kinds, as soon as the names are looked up; until then is what does not happen.
func (a *App) chosen(whose *follow.Following, kinds []footy.Kind, until string) func(context.Context) (news.Filter, error) {
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
		return news.Filter{All: len(f.Teams)+len(f.Leagues) == 0, Teams: f.Teams, Leagues: f.Leagues, Kinds: kinds, After: restored}, errors.Join(failed, err)
	}
}

// hubPause is how long a notifier that the page let go of waits before it subscribes again.
const hubPause = 15 * time.Second

// pageURL is the address that links in messages begin with.
func (a *App) pageURL() string {
	if a.Config.Web.PublicURL != "" {
		return a.Config.Web.PublicURL
	}
	return "http://" + a.Config.Web.Addr
}

// releaseWithin is what giving leases back may take when the process is told to stop.
const releaseWithin = 2 * time.Second

// pusher tells devices; nobody is told before one asks for it.
func (a *App) pusher() *push.Service {
	return push.New(push.Options{Store: a.Store, Hosts: a.Config.Notifications.PushHosts, Local: a.Config.Media.AllowPrivate, Site: a.Config.Web.PublicURL,
		Lead: a.leases.Hold, Bounds: push.Defaults(), Now: time.Now, Log: a.Log})
}

// teller tells people outside of the page what they have not been told.
type teller interface {
	Name() string
	SendNew(ctx context.Context) error
}

// runAlerts runs those who tell people beside the page, woken by what the page's readers are told. They do not wait for each other.
func (a *App) runAlerts(ctx context.Context, g *errgroup.Group, all []teller, hub *stream.Hub) {
	var running sync.WaitGroup
	wakes := make([]chan struct{}, len(all))
	for i, n := range all {
		wakes[i] = make(chan struct{}, 1)
		running.Go(func() { a.runTeller(ctx, n, wakes[i]) })
	}
	r := hub.Subscribe()
	g.Go(func() error {
		a.rouse(ctx, wakes, r, hub)
		return nil
	})
	g.Go(func() error {
		running.Wait()
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseWithin)
		defer cancel()
		a.leases.Release(last)
		return nil
	})
}

const (
	lookEvery = 20 * time.Second
	minPause  = time.Second
)

// runTeller looks again whenever wake is called for and every 20 s, until ctx ends.
func (a *App) runTeller(ctx context.Context, n teller, wake <-chan struct{}) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	logged := ""
	for {
		err := n.SendNew(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			logged = ""
		case err.Error() != logged: // once, not every twenty seconds
			logged = err.Error()
			a.Log.WarnContext(ctx, "notifications wait", "module", "alert", "action", "look", "target", n.Name(), "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-wake:
			select { // a match day rings several times a second
			case <-ctx.Done():
				return
			case <-time.After(minPause):
			}
		}
	}
}

// rouse wakes those who tell people, until ctx ends.
func (a *App) rouse(ctx context.Context, wakes []chan struct{}, r *stream.Reader, hub *stream.Hub) {
	for {
		for range r.C {
			for _, w := range wakes {
				select {
				case w <- struct{}{}:
				default: // it will look anyway
				}
			}
		}
		r.Close()
		select { // too slow, or the page ends
		case <-ctx.Done():
			return
		case <-time.After(hubPause):
			r = hub.Subscribe()
		}
	}
}

// TestNotifications sends a test message to every address of NOTIFICATIONS, and tries every target of posts.
func TestNotifications(ctx context.Context, c config.Config) ([]alert.TestResult, error) {
	a := &App{Config: c, Log: slog.New(slog.DiscardHandler)}
	n, err := a.newAlerter(nil, nil)
	if err != nil {
		return nil, err
	}
	if n == nil {
		return nil, footy.Errorf(footy.CodeInvalid, "test notifications", "NOTIFICATIONS is not set; set it to one or more addresses, like ntfy://ntfy.sh/my-goals, or a POST_ setting (docs/posting.md)")
	}
	return n.SendTest(ctx), nil
}
