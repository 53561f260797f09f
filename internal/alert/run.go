package alert

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/crashpoint"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/store"
)

const (
	every  = 20 * time.Second
	calm   = time.Second
	burst  = 20 // messages of one look; the rest follows with the next one
	behind = 8 * time.Hour
)

// Run looks again whenever wake is called for and every 20 s, until ctx ends. Targets do not wait for each other.
func (n *Notifier) Run(ctx context.Context, wake <-chan struct{}) {
	bells := make([]chan struct{}, len(n.targets))
	var all sync.WaitGroup
	for i, t := range n.targets {
		bells[i] = make(chan struct{}, 1)
		all.Go(func() { n.follow(ctx, t, bells[i]) })
	}
	for {
		select {
		case <-ctx.Done():
			all.Wait()
			return
		case <-wake:
			for _, b := range bells {
				select {
				case b <- struct{}{}:
				default: // it will look anyway
				}
			}
		}
	}
}

func (n *Notifier) follow(ctx context.Context, t target, bell <-chan struct{}) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	said := ""
	for {
		err := n.look(ctx, t)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			said = ""
		case err.Error() != said: // once, not every twenty seconds
			said = err.Error()
			n.opt.Logger.WarnContext(ctx, "notifications wait", "module", "notify", "action", "look", "target", t.name, "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-bell:
			select { // a match day rings several times a second
			case <-ctx.Done():
				return
			case <-time.After(calm):
			}
		}
	}
}

// Look tells every target what is new, and returns all failures.
func (n *Notifier) Look(ctx context.Context) error {
	var failed []error
	for _, t := range n.targets {
		failed = append(failed, n.look(ctx, t))
	}
	return errors.Join(failed...)
}

// look tells one target. Each message is written down when it was taken; one that was not taken is tried again.
func (n *Notifier) look(ctx context.Context, t target) error {
	if n.opt.Store == nil {
		return footy.Errorf(footy.CodeInvalid, "notify", "there is no store to remember in")
	}
	now, told := n.opt.Now(), Told{}
	if err := n.opt.Store.State(ctx, t.key, &told); err != nil && !footy.IsNotFound(err) {
		return err
	}
	changed := told.Since.IsZero()
	if changed {
		told.Since = now
	}
	if told.Goals == nil {
		told.Goals = map[string]GoalTold{}
	}
	fixtures, err := n.opt.Store.List(ctx, store.FixtureQuery{From: now.Add(-behind), To: now.Add(time.Hour)})
	if err != nil {
		return err
	}
	messages := Goals(fixtures, told, n.opt.Filter, n.opt.BaseURL, now)
	if n.opt.Health != nil {
		before := told.Parts
		var about []Message
		about, told = Health(n.opt.Health(ctx), told, now)
		changed = changed || !maps.Equal(before, told.Parts)
		messages = append(messages, about...)
	}
	if changed {
		if err := n.opt.Store.PutState(ctx, t.key, told); err != nil {
			return err
		}
	}
	for _, m := range messages[:min(len(messages), burst)] {
		if err := t.send(ctx, m.Text); err != nil {
			return err
		}
		m.tell(&told)
		told.forget(now)
		crashpoint.Here(crashpoint.NotificationSent)
		// Written down even if the process is being stopped: the message is out.
		if err := n.opt.Store.PutState(context.WithoutCancel(ctx), t.key, told); err != nil {
			return err
		}
	}
	return nil
}
