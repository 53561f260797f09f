package operator

import (
	"context"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// WaitingPost is a post that waits, for the command line.
type WaitingPost struct {
	Cause   footy.Reason `json:"cause"`
	EventID string       `json:"event_id"`
	PostID  string       `json:"post_id"`
	Goal    string       `json:"goal"`
	URL     string       `json:"url,omitempty"`
	Since   time.Time    `json:"since"`
	Tries   int          `json:"tries"`
	NextTry time.Time    `json:"next_try"`
	Detail  string       `json:"detail,omitempty"`
}

// Waiting lists what waits in the ledger, by cause, the oldest first.
func Waiting(ctx context.Context, docs store.Store) (out []WaitingPost, err error) {
	posts, err := docs.Posts(ctx, store.PostQuery{States: ledger.TroubledStates})
	if err != nil {
		return nil, err
	}
	list := ledger.Backlogs(posts)
	var ids []int64
	for _, b := range list {
		for _, p := range b.Posts {
			ids = append(ids, p.FixtureID)
		}
	}
	slices.Sort(ids)
	out = []WaitingPost{}
	if ids = slices.Compact(ids); len(ids) == 0 {
		return out, nil
	}
	fixtures, err := docs.List(ctx, store.FixtureQuery{IDs: ids})
	for _, b := range list {
		for _, p := range b.Posts {
			w := WaitingPost{Cause: b.Cause, EventID: p.EventUID, PostID: p.PostID, URL: p.Candidate.URL, Since: p.WaitingSince, Tries: p.Tries, NextTry: p.NextTry, Detail: p.Detail}
			if i := slices.IndexFunc(fixtures, func(f footy.Fixture) bool { return f.ID == p.FixtureID }); i >= 0 {
				if e := fixtures[i].Event(p.EventUID); e != nil {
					w.EventID, w.Goal = e.ID, footy.Label(*e)+", "+fixtures[i].Teams.Home.Name+" v "+fixtures[i].Teams.Away.Name
				}
			}
			out = append(out, w)
		}
	}
	return out, err
}
