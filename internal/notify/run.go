package notify

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/store"
)

const (
	stateKey = "notify"
	every    = 20 * time.Second
	burst    = 20 // messages of one look; more than that is a fault, not news
)

// Run looks again whenever wake delivers and every 20 s, until ctx ends.
func (n *Notifier) Run(ctx context.Context, wake <-chan struct{}) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		if err := n.Look(ctx); err != nil && ctx.Err() == nil {
			n.opt.Logger.WarnContext(ctx, "notifications wait", "module", "notify", "action", "look", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-wake:
		}
	}
}

// Look tells what is new. Each message is written down when it was taken; one that was not taken is tried again.
func (n *Notifier) Look(ctx context.Context) error {
	told := Told{}
	if err := n.opt.Store.State(ctx, stateKey, &told); err != nil && !footy.IsNotFound(err) {
		return err
	}
	if told.Goals == nil {
		told.Goals = map[string]GoalTold{}
	}
	now := n.opt.Now()
	fixtures, err := n.opt.Store.List(ctx, store.FixtureQuery{From: now.Add(-8 * time.Hour), To: now.Add(time.Hour)})
	if err != nil {
		return err
	}
	messages := Goals(fixtures, told, n.opt.Filter, n.opt.BaseURL, now)
	if n.opt.Health != nil {
		var about []Message
		before := told
		about, told = Health(n.opt.Health(ctx), told, now)
		messages = append(messages, about...)
		if len(about) == 0 && !same(before.Parts, told.Parts) {
			if err := n.opt.Store.PutState(ctx, stateKey, told); err != nil {
				return err
			}
		}
	}
	for i, m := range messages {
		if i == burst {
			break
		}
		if err := n.send(ctx, m.Text); err != nil {
			return err
		}
		m.tell(&told)
		told.forget(now)
		if err := n.opt.Store.PutState(ctx, stateKey, told); err != nil {
			return err
		}
	}
	return nil
}

func same(a, b map[string]PartTold) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if w, ok := b[k]; !ok || w.Said != v.Said || w.Seen != v.Seen {
			return false
		}
	}
	return true
}
