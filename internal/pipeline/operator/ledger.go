package operator

import (
	"context"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/decide/post/fetchhealth"
	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
)

// Retry makes posts due at once; Monitor's next cycle takes them. It answers how many there were. Of those that wait because the fetch
// rests it also ends the rest.
func (o *Operator) Retry(ctx context.Context, c ledger.Selection) (int, error) {
	if c.Cause == footy.ReasonFetchResting {
		for _, at := range source.Places {
			if err := o.endRest(ctx, at); err != nil {
				return 0, err
			}
		}
	}
	return o.waiting(ctx, c, ledger.Retry())
}

func (o *Operator) endRest(ctx context.Context, at source.Place) error {
	_, err := store.ChangeState(ctx, o.Store, at.FetchHealthKey(), func(h *source.FetchHealth) error {
		if !fetchhealth.Resting(*h) {
			return store.ErrUnchanged
		}
		*h = fetchhealth.EndRest(*h)
		return nil
	})
	return err
}

// GiveUp ends posts that wait. It answers how many there were.
func (o *Operator) GiveUp(ctx context.Context, c ledger.Selection) (int, error) {
	return o.waiting(ctx, c, ledger.GiveUp())
}

// waiting applies an act to every post of a choice that waits.
func (o *Operator) waiting(ctx context.Context, c ledger.Selection, act ledger.Move) (int, error) {
	if err := c.Check(); err != nil {
		return 0, err
	}
	if c.EventUID != "" { // people name an event by the id of its page
		f, err := o.Store.FixtureOfEvent(ctx, c.EventUID)
		if err != nil && !footy.IsNotFound(err) {
			return 0, err
		}
		if e := f.Event(c.EventUID); e != nil {
			c.EventUID = e.UID
		}
	}
	posts, err := o.Store.Posts(ctx, store.PostQuery{EventUID: c.EventUID, States: []footy.PostState{footy.PostWaiting}})
	if err != nil {
		return 0, err
	}
	n := 0
	for _, p := range posts {
		if !c.Matches(p) {
			continue
		}
		moved, err := policy.Advance(ctx, o.Store, p, act, o.Now().UTC(), ledger.Delays{})
		if err != nil && !footy.IsNotFound(err) {
			return n, err
		}
		if !moved {
			continue // it does not wait any more, or its match is not kept any more
		}
		n++
		o.Page.Publish(ctx, "event", p.EventUID)
	}
	if n == 0 && c.PostID != "" {
		return 0, footy.Errorf(footy.CodeNotFound, "choose posts", "post %s of %s does not wait (any more)", c.PostID, c.EventUID)
	}
	return n, nil
}
