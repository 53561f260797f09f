package posting

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/extra/posting/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// settle says what became of a post of our own whose delivery is unknown: it is there, or it is posted again. at is the target's key, or the
// service's name.
func settle(ctx context.Context, docs store.Store, page footy.Publisher, event, at string, there bool) (*footy.Event, error) {
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
			if p.Step != rule.Unsure || p.Target != at && !strings.EqualFold(p.Service, at) {
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
			return nil, footy.Errorf(footy.CodeConflict, act, "no post about %s at %q has an unknown delivery; footy posts lists those that have", e.ID, at)
		}
		return rows, nil
	})
	if err != nil {
		return nil, err
	}
	page.Publish(ctx, "event", settled.UID)
	return settled, nil
}

// unsurePost is a post of our own whose delivery is unknown, for the command line.
type unsurePost struct {
	EventID string    `json:"event_id"`
	Goal    string    `json:"goal"`
	Service string    `json:"service"`
	Target  string    `json:"target"`
	At      time.Time `json:"at"`
	Why     string    `json:"why"`
}

// unsurePosts lists them.
func unsurePosts(ctx context.Context, docs store.Store) ([]unsurePost, error) {
	fixtures, err := docs.List(ctx, store.FixtureQuery{})
	out := []unsurePost{}
	for i := range fixtures {
		for _, e := range fixtures[i].Events {
			all, err := rule.All(&e)
			if err != nil {
				return nil, err
			}
			for _, p := range all {
				if p.Step == rule.Unsure {
					goal := footy.Label(e) + ", " + fixtures[i].Teams.Home.Name + " v " + fixtures[i].Teams.Away.Name
					out = append(out, unsurePost{EventID: e.ID, Goal: goal, Service: p.Service, Target: p.Target, At: p.At, Why: p.Error})
				}
			}
		}
	}
	return out, err
}
