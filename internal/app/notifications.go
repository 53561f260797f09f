package app

import (
	"context"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/config"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/notify"
	"github.com/found-footy/found-footy/internal/web"
	"golang.org/x/sync/errgroup"
)

// notifier tells people outside of the page; nil if nobody is to be told. h may be nil for a look at the addresses.
func (a *App) notifier(h *health) (*notify.Notifier, error) {
	c := a.Config.Notify
	if len(c.Addresses()) == 0 {
		return nil, nil //nolint:nilnil // nobody is to be told
	}
	o := notify.Options{Store: a.Store, URLs: c.Addresses(), Filter: notify.Filter{Teams: c.Teams, Leagues: c.Leagues}, BaseURL: a.pageURL(), Logger: a.Log}
	if h != nil {
		o.Health = h.conditions
	}
	n, err := notify.New(o)
	if err != nil {
		return nil, footy.Errorf(footy.CodeInvalid, "read settings", "NOTIFICATIONS: %s; docs/notifications.md shows one of each kind", firstReason(err))
	}
	return n, nil
}

// pageURL is the address that links in messages begin with.
func (a *App) pageURL() string {
	if a.Config.Web.PublicURL != "" {
		return a.Config.Web.PublicURL
	}
	return "http://" + a.Config.Web.Addr
}

// tell runs the notifier beside the page, woken by what the page's readers are told.
func tell(ctx context.Context, g *errgroup.Group, n *notify.Notifier, hub *web.Hub) {
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
			case <-time.After(watchEvery):
				r = hub.Subscribe()
			}
		}
	})
}

// partNames are what people call the components.
var partNames = map[string]string{"engine": "the workflow engine", "state": "the database", "clips": "clip storage", "feed": "the match feed",
	"search": "the search of X", "fetch": "the fetching of posts", "model": "the vision model", "ffmpeg": "ffmpeg", "backup": "the daily backup"}

// conditions are what the last looks found; nothing is asked for them.
func (h *health) conditions(context.Context) []notify.Condition {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := make([]notify.Condition, 0, len(h.last))
	for name, c := range h.last {
		if known, ok := partNames[name]; ok {
			name = known
		}
		out = append(out, notify.Condition{Name: strings.ToUpper(name[:1]) + name[1:], State: string(c.State), Reason: c.Reason, Remedy: c.Remedy})
	}
	return out
}

// keep notes what a look found.
func (h *health) keep(c web.Component) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.last == nil {
		h.last = map[string]web.Component{}
	}
	h.last[c.Name] = c
}

// TestNotifications sends a test message to every address of NOTIFICATIONS.
func TestNotifications(ctx context.Context, c config.Config) ([]notify.Answer, error) {
	n, err := (&App{Config: c}).notifier(nil)
	if err != nil {
		return nil, err
	}
	if n == nil {
		return nil, footy.Errorf(footy.CodeInvalid, "test notifications", "NOTIFICATIONS is not set; set it to one or more addresses, like ntfy://ntfy.sh/my-goals")
	}
	return n.Try(ctx), nil
}

// notifyFinding is doctor's look at the addresses; no message is sent.
func (a *App) notifyFinding() Finding {
	f := Finding{Name: "notifications", State: "ok"}
	n, err := a.notifier(nil)
	switch {
	case err != nil:
		f.State, f.Required, f.Reason = "broken", true, Plain(err)
	case n == nil:
		f.State, f.Reason, f.Remedy = "missing", "NOTIFICATIONS is not set: goals are shown on the page only", "Set it to an address like ntfy://ntfy.sh/my-goals (docs/notifications.md)."
	default:
		f.Reason = strings.Join(n.Targets(), ", ") + "; footy notify test sends a message"
	}
	return f
}
