package app

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/alert"
	"github.com/found-footy/found-footy/internal/config"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/health/check"
	"github.com/found-footy/found-footy/internal/network"
	"github.com/found-footy/found-footy/internal/web/stream"
	"golang.org/x/sync/errgroup"
)

// newAlerter tells people outside of the page; nil if nobody is to be told. look may be nil for a look at the addresses.
func (a *App) newAlerter(look *check.Checker) (*alert.Alerter, error) {
	c := a.Config.Notifications
	if len(c.Addresses()) == 0 {
		return nil, nil //nolint:nilnil // nobody is to be told
	}
	o := alert.Options{Store: a.Store, URLs: c.Addresses(), Filter: alert.Filter{Teams: c.Teams, Leagues: c.Leagues}, BaseURL: a.pageURL(), Logger: a.Log}
	if look != nil {
		o.Health = look.Last
	}
	n, err := alert.New(o)
	if err != nil {
		return nil, footy.Errorf(footy.CodeInvalid, "read settings", "NOTIFICATIONS: %s", network.Shorten(err))
	}
	return n, nil
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

// runAlerts runs the notifier beside the page, woken by what the page's readers are told.
func runAlerts(ctx context.Context, g *errgroup.Group, n *alert.Alerter, hub *stream.Hub) {
	wake, r := make(chan struct{}), hub.Subscribe()
	g.Go(func() error {
		n.Run(ctx, wake)
		return nil
	})
	g.Go(func() error {
		for {
			for range r.C {
				select {
				case wake <- struct{}{}:
				case <-ctx.Done():
				}
			}
			r.Close()
			select { // too slow, or the page ends
			case <-ctx.Done():
				return nil
			case <-time.After(hubPause):
				r = hub.Subscribe()
			}
		}
	})
}

// TestNotifications sends a test message to every address of NOTIFICATIONS.
func TestNotifications(ctx context.Context, c config.Config) ([]alert.TestResult, error) {
	n, err := (&App{Config: c}).newAlerter(nil)
	if err != nil {
		return nil, err
	}
	if n == nil {
		return nil, footy.Errorf(footy.CodeInvalid, "test notifications", "NOTIFICATIONS is not set; set it to one or more addresses, like ntfy://ntfy.sh/my-goals")
	}
	return n.SendTest(ctx), nil
}
