package app

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/alert"
	"github.com/found-footy/found-footy/internal/config"
	"github.com/found-footy/found-footy/internal/follow"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/health/check"
	"github.com/found-footy/found-footy/internal/network"
	"github.com/found-footy/found-footy/internal/push"
	"github.com/found-footy/found-footy/internal/rule/lifecycle"
	"github.com/found-footy/found-footy/internal/web/stream"
	"golang.org/x/sync/errgroup"
)

// newAlerter tells people outside of the page; nil if nobody is to be told. look may be nil for a look at the addresses.
func (a *App) newAlerter(look *check.Checker) (*alert.Alerter, error) {
	c := a.Config.Notifications
	if len(c.Addresses()) == 0 && !a.Config.Posting.On() {
		return nil, nil //nolint:nilnil // nobody is to be told
	}
	o := alert.Options{Store: a.Store, URLs: c.Addresses(), Filter: a.chosen(a.Tells, "nobody is told of goals"), BaseURL: a.pageURL(), Logger: a.Log}
	var err error
	if o.Channels, err = a.postingTargets(look != nil); err != nil {
		return nil, err
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

// chosen is whose goals are told, as soon as the names are looked up; until then is what does not happen.
func (a *App) chosen(whose *follow.Following, until string) func(context.Context) (alert.Filter, error) {
	var mu sync.Mutex
	var tried time.Time
	var failed error
	return func(ctx context.Context) (alert.Filter, error) {
		mu.Lock()
		defer mu.Unlock()
		if failed != nil && time.Since(tried) < askAgain {
			return alert.Filter{}, failed
		}
		var f lifecycle.Follow
		tried = time.Now()
		if f, failed = whose.Follow(ctx); failed != nil {
			a.Log.Warn(until+" until the names in the settings are looked up: "+footy.UserMessage(failed), "module", "app", "action", "notify")
		}
		return alert.Filter{Teams: f.Teams, Leagues: f.Leagues}, failed
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

// teller tells people outside of the page.
type teller interface {
	Run(ctx context.Context, wake <-chan struct{})
}

// runAlerts runs those who tell people beside the page, woken by what the page's readers are told.
func (a *App) runAlerts(ctx context.Context, g *errgroup.Group, all []teller, hub *stream.Hub) {
	var running sync.WaitGroup
	for _, n := range all {
		wake, r := make(chan struct{}, 1), hub.Subscribe()
		running.Go(func() { n.Run(ctx, wake) })
		g.Go(func() error {
			a.rouse(ctx, wake, r, hub)
			return nil
		})
	}
	g.Go(func() error {
		running.Wait()
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseWithin)
		defer cancel()
		a.leases.Release(last)
		return nil
	})
}

// rouse wakes one who tells people, until ctx ends.
func (a *App) rouse(ctx context.Context, wake chan<- struct{}, r *stream.Reader, hub *stream.Hub) {
	for {
		for range r.C {
			select {
			case wake <- struct{}{}:
			default: // it will look anyway
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
	n, err := (&App{Config: c, Log: slog.New(slog.DiscardHandler)}).newAlerter(nil)
	if err != nil {
		return nil, err
	}
	if n == nil {
		return nil, footy.Errorf(footy.CodeInvalid, "test notifications", "NOTIFICATIONS is not set; set it to one or more addresses, like ntfy://ntfy.sh/my-goals, or a POST_ setting (docs/posting.md)")
	}
	return n.SendTest(ctx), nil
}
