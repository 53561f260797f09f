package alert

import (
	"context"
	"reflect"
	"time"

	"github.com/found-footy/found-footy/internal/decide/news"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/crashpoint"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// stepSent is a step at which FOOTY_CRASH_AT may kill the process: a message is out, which is not recorded.
const stepSent = "notification-sent"

const maxMessages = 20 // messages of one look; the rest follows with the next one

// sendNew reports what is new. Each message is written down when it was taken; one that was not taken is tried again.
func (t target) sendNew(ctx context.Context) error {
	if leads, err := t.opt.Lead(ctx, t.key); err != nil || !leads {
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
		told.Goals = news.Record{}
	}
	fixtures, err := t.opt.Store.List(ctx, store.FixtureQuery{From: now.Add(-news.LookBack), To: now.Add(time.Hour)})
	if err != nil {
		return err
	}
	var messages []Message
	if filter, err := t.opt.Filter(ctx); err == nil { // else goals wait: who chose some does not get all
		messages = GoalMessages(fixtures, told, filter, t.opt.BaseURL, now)
	}
	if t.opt.Health != nil {
		before := told.Parts
		var about []Message
		about, told = PartMessages(t.opt.Health(ctx), told, now)
		changed = changed || !reflect.DeepEqual(before, told.Parts)
		messages = append(messages, about...)
	}
	if changed {
		if err := t.opt.Store.PutState(ctx, t.key, told); err != nil {
			return err
		}
	}
	for _, m := range messages[:min(len(messages), maxMessages)] {
		if leads, err := t.opt.Lead(ctx, t.key); err != nil || !leads {
			return err
		}
		if err := t.send(ctx, m.Text); err != nil {
			return err
		}
		m.record(&told)
		told.Goals.Forget(now)
		crashpoint.Here(stepSent)
		// Written down even if the process is being stopped: the message is out.
		if err := t.opt.Store.PutState(context.WithoutCancel(ctx), t.key, told); err != nil {
			return err
		}
	}
	return nil
}
