package view

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// postsShown bounds the posts of one cause on the page; acts on a cause and the API know all.
const postsShown = 100

// Waiting is everything that waits in the ledger, by cause.
type Waiting struct {
	Waiting int            `json:"waiting"`
	Oldest  time.Time      `json:"oldest,omitzero"` // start of the oldest trouble
	NextTry time.Time      `json:"next_try,omitzero"`
	Causes  []WaitingCause `json:"causes"`
}

// WaitingCause are the posts that wait for one thing.
type WaitingCause struct {
	Cause    footy.Reason  `json:"cause"`
	Words    string        `json:"words"`
	Count    int           `json:"count"`
	Oldest   time.Time     `json:"oldest"`
	NextTry  time.Time     `json:"next_try"`
	EventIDs []string      `json:"event_ids"`       // of goals that stand
	Posts    []WaitingPost `json:"posts,omitempty"` // for operators only

	Goals []WaitingGoal `json:"-"`
}

// Shown are the posts that the page lists, More is how many it leaves out.
func (c WaitingCause) Shown() []WaitingPost { return c.Posts[:min(len(c.Posts), postsShown)] }

// More is how many posts the page leaves out.
func (c WaitingCause) More() int { return max(len(c.Posts)-postsShown, 0) }

// WaitingPost is one of them, for operators.
type WaitingPost struct {
	EventID string    `json:"event_id"`
	PostID  string    `json:"post_id"`
	URL     string    `json:"url,omitempty"`
	Since   time.Time `json:"since"`
	Tries   int       `json:"tries"`
	NextTry time.Time `json:"next_try"`
	Trying  bool      `json:"trying"` // the next try is under way
	Detail  string    `json:"detail,omitempty"`

	UID    string      `json:"-"`
	Author string      `json:"-"`
	Goal   WaitingGoal `json:"-"`
}

// WaitingGoal is a goal in a list of posts; without a path it is not stored any more.
type WaitingGoal struct {
	Path, Name, Match string
	Posts             int
	Removed           bool
}

// Backlog is what waits, with the fixtures it belongs to.
type Backlog struct {
	Causes   []ledger.Backlog
	Fixtures map[int64]footy.Fixture
}

// ReadBacklog reads what waits in the ledger.
func ReadBacklog(ctx context.Context, docs store.Store) (Backlog, error) {
	b := Backlog{Fixtures: map[int64]footy.Fixture{}}
	posts, err := docs.Posts(ctx, store.PostQuery{States: ledger.TroubledStates})
	if err != nil || len(posts) == 0 {
		return b, err
	}
	b.Causes = ledger.Backlogs(posts)
	ids := map[int64]bool{}
	for _, c := range b.Causes {
		for _, p := range c.Posts {
			ids[p.FixtureID] = true
		}
	}
	list, err := docs.List(ctx, store.FixtureQuery{IDs: slices.Sorted(maps.Keys(ids))})
	for _, f := range list {
		b.Fixtures[f.ID] = f
	}
	return b, err
}

// View is what a reader may see: the posts themselves, with what programs said of them, are for operators.
func (b Backlog) View(operator bool) Waiting {
	v := Waiting{Causes: []WaitingCause{}}
	for _, c := range b.Causes {
		out := WaitingCause{Cause: c.Cause, Words: explain.Wait(c.Cause), Count: len(c.Posts), Oldest: c.Oldest, NextTry: c.NextTry, EventIDs: []string{}}
		at := map[string]int{}
		for _, p := range c.Posts {
			g, id := b.goal(p)
			if n, ok := at[p.EventUID]; ok {
				out.Goals[n].Posts++
			} else if operator || g.Path != "" && !g.Removed {
				at[p.EventUID] = len(out.Goals)
				out.Goals = append(out.Goals, g)
				if g.Path != "" && !g.Removed {
					out.EventIDs = append(out.EventIDs, id)
				}
			}
			if operator {
				out.Posts = append(out.Posts, WaitingPost{EventID: id, PostID: p.PostID, URL: SafeURL(p.Candidate.URL), Since: p.WaitingSince, Tries: p.Tries,
					NextTry: p.NextTry, Trying: p.State != footy.PostWaiting, Detail: p.Detail, UID: p.EventUID, Author: p.Candidate.Author, Goal: g})
			}
		}
		v.Waiting += out.Count
		v.Oldest, v.NextTry = earlier(v.Oldest, out.Oldest), earlier(v.NextTry, out.NextTry)
		v.Causes = append(v.Causes, out)
	}
	return v
}

// earlier is the earlier of two times, of which the first may be unknown.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}

// goal names the goal of a post, and its public id.
func (b Backlog) goal(p footy.Post) (WaitingGoal, string) {
	f := b.Fixtures[p.FixtureID]
	e := f.Event(p.EventUID)
	if e == nil {
		return WaitingGoal{Name: p.EventUID, Posts: 1}, p.EventUID
	}
	return WaitingGoal{Path: footy.GoalPath(e.ID), Name: footy.Label(*e), Match: f.Teams.Home.Name + " v " + f.Teams.Away.Name, Posts: 1, Removed: e.Removed}, e.ID
}
