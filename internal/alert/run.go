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
	wakes := make([]chan struct{}, len(n.channels))
	var all sync.WaitGroup
	for i, c := range n.channels {
		wakes[i] = make(chan struct{}, 1)
		all.Go(func() { n.runChannel(ctx, c, wakes[i]) })
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

func (n *Alerter) runChannel(ctx context.Context, c Channel, wake <-chan struct{}) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	logged := ""
	for {
		err := c.SendNew(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			logged = ""
		case err.Error() != logged: // once, not every twenty seconds
			logged = err.Error()
			n.opt.Logger.WarnContext(ctx, "notifications wait", "module", "alert", "action", "look", "target", c.Name(), "error", err)
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
	for _, c := range n.channels {
		failed = append(failed, c.SendNew(ctx))
	}
	return errors.Join(failed...)
}

// filter is whose goals are told.
func (n *Alerter) filter(ctx context.Context) (Filter, error) {
	if n.opt.Filter == nil {
		return Filter{}, nil
	}
	return n.opt.Filter(ctx)
}

// leads reports whether this process is the one that tells a target; of several with the same address one is.
func (t target) leads(ctx context.Context) (bool, error) {
	if t.opt.Lead == nil {
		return true, nil
	}
	return t.opt.Lead(ctx, t.key)
}

// SendNew tells what is new. Each message is written down when it was taken; one that was not taken is tried again.
func (t target) SendNew(ctx context.Context) error {
	if t.opt.Store == nil {
		return footy.Errorf(footy.CodeInvalid, "notify", "there is no store to remember in")
	}
	if leads, err := t.leads(ctx); err != nil || !leads {
		return err
	}
	now, told := t.opt.Now(), Record{}
	if err := t.opt.Store.State(ctx, t.key, &told); err != nil && !footy.IsNotFound(err) {
		return err
	}
	changed := told.Since.IsZero()
	if changed {
		told.Since = now
	}
	if told.Goals == nil {
		told.Goals = map[string]GoalRecord{}
	}
	fixtures, err := t.opt.Store.List(ctx, store.FixtureQuery{From: now.Add(-lookBack), To: now.Add(time.Hour)})
	if err != nil {
		return err
	}
	var messages []Message
	if filter, err := t.filter(ctx); err == nil { // else goals wait: whoever chose some is not told of all
		messages = GoalMessages(fixtures, told, filter, t.opt.BaseURL, now)
	}
	if t.opt.Health != nil {
		before := told.Parts
		var about []Message
		about, told = PartMessages(t.opt.Health(ctx), told, now)
		changed = changed || !maps.Equal(before, told.Parts)
		messages = append(messages, about...)
	}
	if changed {
		if err := t.opt.Store.PutState(ctx, t.key, told); err != nil {
			return err
		}
	}
	for _, m := range messages[:min(len(messages), maxMessages)] {
		if leads, err := t.leads(ctx); err != nil || !leads {
			return err
		}
		if err := t.send(ctx, m.Text); err != nil {
			return err
		}
		m.record(&told)
		told.forget(now)
		crashpoint.Here(crashpoint.NotificationSent)
		// Written down even if the process is being stopped: the message is out.
		if err := t.opt.Store.PutState(context.WithoutCancel(ctx), t.key, told); err != nil {
			return err
		}
	}
	return nil
}
