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
	lookEvery   = 20 * time.Second
	minPause    = time.Second
	maxMessages = 20 // messages of one look; the rest follows with the next one
	lookBack    = 8 * time.Hour
)

// Run looks again whenever wake is called for and every 20 s, until ctx ends. Targets do not wait for each other.
func (n *Alerter) Run(ctx context.Context, wake <-chan struct{}) {
	wakes := make([]chan struct{}, len(n.targets))
	var all sync.WaitGroup
	for i, t := range n.targets {
		wakes[i] = make(chan struct{}, 1)
		all.Go(func() { n.runTarget(ctx, t, wakes[i]) })
	}
	for {
		select {
		case <-ctx.Done():
			all.Wait()
			return
		case <-wake:
			for _, b := range wakes {
				select {
				case b <- struct{}{}:
				default: // it will look anyway
				}
			}
		}
	}
}

func (n *Alerter) runTarget(ctx context.Context, t target, wake <-chan struct{}) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	logged := ""
	for {
		err := n.sendNew(ctx, t)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			logged = ""
		case err.Error() != logged: // once, not every twenty seconds
			logged = err.Error()
			n.opt.Logger.WarnContext(ctx, "notifications wait", "module", "alert", "action", "look", "target", t.name, "error", err)
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

// SendNew tells every target what is new, and returns all failures.
func (n *Alerter) SendNew(ctx context.Context) error {
	var failed []error
	for _, t := range n.targets {
		failed = append(failed, n.sendNew(ctx, t))
	}
	return errors.Join(failed...)
}

// sendNew tells one target. Each message is written down when it was taken; one that was not taken is tried again.
func (n *Alerter) sendNew(ctx context.Context, t target) error {
	if n.opt.Store == nil {
		return footy.Errorf(footy.CodeInvalid, "notify", "there is no store to remember in")
	}
	now, told := n.opt.Now(), Record{}
	if err := n.opt.Store.State(ctx, t.key, &told); err != nil && !footy.IsNotFound(err) {
		return err
	}
	changed := told.Since.IsZero()
	if changed {
		told.Since = now
	}
	if told.Goals == nil {
		told.Goals = map[string]GoalRecord{}
	}
	fixtures, err := n.opt.Store.List(ctx, store.FixtureQuery{From: now.Add(-lookBack), To: now.Add(time.Hour)})
	if err != nil {
		return err
	}
	messages := GoalMessages(fixtures, told, n.opt.Filter, n.opt.BaseURL, now)
	if n.opt.Health != nil {
		before := told.Parts
		var about []Message
		about, told = PartMessages(n.opt.Health(ctx), told, now)
		changed = changed || !maps.Equal(before, told.Parts)
		messages = append(messages, about...)
	}
	if changed {
		if err := n.opt.Store.PutState(ctx, t.key, told); err != nil {
			return err
		}
	}
	for _, m := range messages[:min(len(messages), maxMessages)] {
		if err := t.send(ctx, m.Text); err != nil {
			return err
		}
		m.record(&told)
		told.forget(now)
		crashpoint.Here(crashpoint.NotificationSent)
		// Written down even if the process is being stopped: the message is out.
		if err := n.opt.Store.PutState(context.WithoutCancel(ctx), t.key, told); err != nil {
			return err
		}
	}
	return nil
}
