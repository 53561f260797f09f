package operator

import (
	"context"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/ledger"
	"github.com/found-footy/found-footy/internal/store"
)

// Retry makes posts due at once; Monitor's next cycle takes them. It answers how many there were.
func (o *Operator) Retry(ctx context.Context, c ledger.Selection) (int, error) {
	return o.waiting(ctx, c, func(p *footy.Post) bool { return ledger.Retry(p, o.Now().UTC()) })
}

// GiveUp ends posts that wait. It answers how many there were.
func (o *Operator) GiveUp(ctx context.Context, c ledger.Selection) (int, error) {
	return o.waiting(ctx, c, func(p *footy.Post) bool {
		ledger.Refuse(p, footy.ReasonGaveUp, p.Detail, o.Now().UTC())
		return true
	})
}

// waiting applies an act to every post of a choice that waits, with its log row.
func (o *Operator) waiting(ctx context.Context, c ledger.Selection, act func(*footy.Post) bool) (int, error) {
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
		done := false
		_, err := o.Store.UpdatePost(ctx, p.EventUID, p.PostID, func(p *footy.Post) ([]footy.Entry, error) {
			cause := p.Reason
			if done = c.Matches(*p) && act(p); !done {
				return nil, store.ErrUnchanged
			}
			if p.State != footy.PostRefused {
				return nil, nil
			}
			return []footy.Entry{{Key: p.EventUID + "/rejected/" + p.PostID + "/" + string(p.Reason), FixtureID: p.FixtureID, EventUID: p.EventUID,
				At: p.ChangedAt, Kind: footy.EntryRejected, Reason: p.Reason, PostID: p.PostID,
				Data: footy.Evidence{URL: p.Candidate.URL, Detail: p.Detail, WaitedFor: cause}}}, nil
		})
		if footy.IsNotFound(err) {
			continue // its match is not kept any more
		}
		if err != nil {
			return n, err
		}
		if done {
			n++
			o.Page.Publish(ctx, "event", p.EventUID)
		}
	}
	if n == 0 && c.PostID != "" {
		return 0, footy.Errorf(footy.CodeNotFound, "choose posts", "post %s of %s does not wait (any more)", c.PostID, c.EventUID)
	}
	return n, nil
}
