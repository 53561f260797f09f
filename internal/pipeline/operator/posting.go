package operator

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// SettlePost ends the doubt about a post of our own: it is there, or it is posted again. at is the target's key, or the service's name.
// A link to one that is there has it followed as any other.
func (o *Operator) SettlePost(ctx context.Context, event, at string, there bool, link string) error {
	act := "post again"
	if there {
		act = "post is there"
	}
	f, err := o.Store.FixtureOfEvent(ctx, event)
	if err != nil {
		return err
	}
	var found footy.Posting
	switch {
	case link != "" && !there:
		return footy.Errorf(footy.CodeInvalid, act, "a post that is not there has no link")
	case link != "":
		if found, err = o.readLink(ctx, f.Event(event), at, link); err != nil {
			return err
		}
		at = found.Target
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
			if !isAt(p, at) || p.Step != footy.PostingUnsure && (found.ID == "" || !p.Nameless()) {
				continue
			}
			if !there && e.Removed {
				return nil, footy.Errorf(footy.CodeConflict, act, "%s no longer stands, so it is not posted", e.ID)
			}
			p.Settle(there, found.ID, found.URL, now)
			rows = append(rows, footy.Entry{Key: fmt.Sprintf("%s/%s/%s/%s/%d", e.UID, footy.EntryOperator, act, p.Target, now.UnixMilli()), FixtureID: f.ID, EventUID: e.UID,
				At: now, Kind: footy.EntryOperator, Data: footy.Evidence{Act: act, Service: p.Service, URL: found.URL}})
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

func isAt(p *footy.Posting, at string) bool {
	return p.Target == at || strings.EqualFold(p.Service, at)
}

// readLink finds the post of an event that a link names; one that is another goal's is none.
func (o *Operator) readLink(ctx context.Context, e *footy.Event, at, link string) (found footy.Posting, err error) {
	const op = "post is there"
	if o.ReadLink == nil {
		return found, footy.Errorf(footy.CodeUnavailable, op, "this process has no targets of posts; run it with the POST_ settings that posted")
	}
	err = footy.Errorf(footy.CodeConflict, op, "no post about %s at %q needs a link", e.ID, at)
	for i := range e.Postings {
		if p := &e.Postings[i]; isAt(p, at) && p.Nameless() {
			if found.ID, found.URL, err = o.ReadLink(ctx, p.Target, link); err == nil {
				found.Target = p.Target
				break
			}
		}
	}
	if err != nil {
		return found, err
	}
	fixtures, err := o.Store.List(ctx, store.FixtureQuery{})
	for i := range fixtures {
		for _, other := range fixtures[i].Events {
			if p := other.Posting(found.Target); p != nil && p.ID == found.ID {
				return found, footy.Errorf(footy.CodeConflict, op, "this is our post about %s", footy.Label(other))
			}
		}
	}
	return found, err
}

// UnsurePost is a post of our own of which nobody can tell whether it was made, for the command line.
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
