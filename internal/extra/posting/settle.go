package posting

import (
	"context"
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/extra/posting/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// settle says what became of a post of our own whose delivery is unknown: it is there, or it is posted again.
func settle(ctx context.Context, docs store.Store, page footy.Publisher, event, target string, there bool) (*footy.Event, error) {
	act := "post again"
	if there {
		act = "post is there"
	}
	f, err := docs.FixtureOfEvent(ctx, event)
	if err != nil {
		return nil, err
	}
	now := time.Now().UTC()
	var settled *footy.Event
	_, err = docs.Update(ctx, f.ID, func(f *footy.Fixture) (rows []footy.Entry, err error) {
		e := f.Event(event)
		if e == nil {
			return nil, footy.Errorf(footy.CodeNotFound, act, "no event %s", event)
		}
		settled = e
		all, err := rule.All(e)
		if err != nil {
			return nil, err
		}
		for _, p := range all {
			if p.Step != rule.Unsure || p.Target != target {
				continue
			}
			if !there && e.Removed {
				return nil, footy.Errorf(footy.CodeConflict, act, "%s no longer stands, so it is not posted", e.ID)
			}
			p.Settle(there, now)
			if err := rule.Put(e, p); err != nil {
				return nil, err
			}
			row := p.Row()
			row.Values["operator"] = act
			rows = append(rows, footy.Entry{Key: fmt.Sprintf("%s/%s/%s/%s/%d", e.UID, rule.Name, act, p.Target, now.UnixMilli()), FixtureID: f.ID, EventUID: e.UID,
				At: now, Kind: footy.EntryExtra, Data: row})
		}
		if len(rows) == 0 {
			return nil, footy.Errorf(footy.CodeConflict, act, "what became of this post about %s is known", e.ID)
		}
		return rows, nil
	})
	if err != nil {
		return nil, err
	}
	page.Publish(ctx, "event", settled.UID)
	return settled, nil
}
