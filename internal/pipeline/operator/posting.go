package operator

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// SettlePost says what became of a post of our own whose delivery is unknown: it is there, or it is posted again. at is the target's key,
// or the service's name.
func (o *Operator) SettlePost(ctx context.Context, event, at string, there bool) error {
	act := "post again"
	if there {
		act = "post is there"
	}
	f, err := o.Store.FixtureOfEvent(ctx, event)
	if err != nil {
		return err
	}
	now, uid := o.Now().UTC(), ""
	_, err = o.Store.Update(ctx, f.ID, func(f *footy.Fixture) (rows []footy.Entry, err error) {
		e := f.Event(event)
		if e == nil {
			return nil, footy.Errorf(footy.CodeNotFound, act, "no event %s", event)
		}
		uid = e.UID
		for i := range e.Postings {
			p := &e.Postings[i]
			if p.Step != footy.PostingUnsure || p.Target != at && !strings.EqualFold(p.Service, at) {
				continue
			}
			if !there && e.Removed {
				return nil, footy.Errorf(footy.CodeConflict, act, "%s no longer stands, so it is not posted", e.ID)
			}
			p.Settle(there, now)
			rows = append(rows, footy.Entry{Key: fmt.Sprintf("%s/%s/%s/%s/%d", e.UID, footy.EntryOperator, act, p.Target, now.UnixMilli()), FixtureID: f.ID, EventUID: e.UID,
				At: now, Kind: footy.EntryOperator, Data: footy.Evidence{Act: act, Service: p.Service}})
		}
		if len(rows) == 0 {
			return nil, footy.Errorf(footy.CodeConflict, act, "no post about %s at %q has an unknown delivery; footy posts lists those that have", e.ID, at)
		}
		return rows, nil
	})
	if err == nil {
		o.Page.Publish(ctx, "event", uid)
	}
	return err
}

// UnsurePost is a post of our own whose delivery is unknown, for the command line.
type UnsurePost struct {
	EventID string    `json:"event_id"`
	Goal    string    `json:"goal"`
	Service string    `json:"service"`
	Target  string    `json:"target"`
	At      time.Time `json:"at"`
	Why     string    `json:"why"`
}

// UnsurePosts lists them.
func UnsurePosts(ctx context.Context, docs store.Store) ([]UnsurePost, error) {
	fixtures, err := docs.List(ctx, store.FixtureQuery{})
	out := []UnsurePost{}
	for i := range fixtures {
		for _, e := range fixtures[i].Events {
			for _, p := range e.Postings {
				if p.Step == footy.PostingUnsure {
					goal := footy.Label(e) + ", " + fixtures[i].Teams.Home.Name + " v " + fixtures[i].Teams.Away.Name
					out = append(out, UnsurePost{EventID: e.ID, Goal: goal, Service: p.Service, Target: p.Target, At: p.At, Why: p.Error})
				}
			}
		}
	}
	return out, err
}
