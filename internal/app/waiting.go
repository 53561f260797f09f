package app

import (
	"context"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/config"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/operator"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/rule/ledger"
	"github.com/found-footy/found-footy/internal/store"
	"github.com/found-footy/found-footy/internal/web"
)

// waitsTooLong is when a post's trouble is no passing one any more.
const waitsTooLong = time.Hour

// pageTiming tells the page the engine's rhythm.
func (a *App) pageTiming() web.Timing {
	scale := max(a.Config.Track.TimeScale, 1)
	votes, _ := MatchRules(a.Config.Track)
	t, timing := web.DefaultTiming(), policy.Defaults().Scaled(scale)
	t.Searches, t.Every, t.Window = timing.Attempts, timing.AttemptEvery, timing.SearchWindow()
	t.Poll, t.Votes, t.RemovedKept = a.cycle(), votes.Sightings, monitor.Graces().Scaled(scale).Removed
	t.LongestPause, t.LateAfter = ledger.DefaultDelays().Scaled(scale).Longest, t.LateAfter/time.Duration(scale)
	return t
}

// backlogs reads what waits in the ledger.
func backlogs(ctx context.Context, s store.Store) ([]ledger.Backlog, error) {
	posts, err := s.Posts(ctx, store.PostQuery{States: ledger.TroubledStates})
	return ledger.Backlogs(posts), err
}

// ledger tells how many posts wait and for what. What waits for more than an hour is a trouble of its own; where no model
// is set up, waiting is what was asked for.
func (h *health) ledger(ctx context.Context) web.Component {
	c := web.Component{Name: "ledger", State: web.StateOK, Facts: map[string]any{}}
	if h.app.Store == nil {
		c.State, c.Reason = web.StateMissing, "the database cannot be opened"
		return c
	}
	list, err := backlogs(ctx, h.app.Store)
	if err != nil {
		c.State, c.Reason, c.Remedy = web.StateDown, Plain(err), "Bring the database back; goals wait for it."
		return c
	}
	n, oldest, model := 0, time.Time{}, false
	late := func(at time.Time) bool { return time.Since(at) > waitsTooLong }
	for _, b := range list {
		n += len(b.Posts)
		c.Facts[string(b.Cause)] = len(b.Posts)
		if oldest.IsZero() || b.Oldest.Before(oldest) {
			oldest = b.Oldest
		}
		switch {
		case !late(b.Oldest):
		case b.Cause == footy.ReasonNoModel:
			model = true
		default:
			c.State = web.StateDown
		}
	}
	c.Facts["waiting"] = n
	if n == 0 {
		return c
	}
	c.Facts["oldest_wait"] = oldest.UTC()
	if c.State == web.StateOK && model {
		c.State = web.StateMissing
	}
	if c.State != web.StateOK {
		c.Reason = "posts wait for longer than an hour"
		c.Remedy = "See which trouble they wait for and end it; they are tried again by themselves. What can never succeed can be given up."
	}
	return c
}

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
func Waiting(ctx context.Context, c config.Config) (out []WaitingPost, err error) {
	if err := needDatabase(c, "list posts"); err != nil {
		return nil, err
	}
	docs, err := openStore(ctx, c)
	if err != nil {
		return nil, err
	}
	defer docs.Close() //nolint:errcheck // nothing was written
	list, err := backlogs(ctx, docs)
	if err != nil {
		return nil, err
	}
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

// ActOnWaiting tries posts that wait again now, or gives them up. It answers how many there were.
func ActOnWaiting(ctx context.Context, c config.Config, event, post string, cause footy.Reason, giveUp bool) (int, error) {
	which := ledger.Selection{EventUID: event, PostID: post, Cause: cause}
	if err := which.Check(); err != nil {
		return 0, err
	}
	if err := needDatabase(c, "find posts"); err != nil {
		return 0, err
	}
	docs, err := openStore(ctx, c)
	if err != nil {
		return 0, err
	}
	defer docs.Close() //nolint:errcheck // what was to be written is written
	if which.EventUID != "" {
		f, err := docs.FixtureOfEvent(ctx, which.EventUID)
		if err != nil && !footy.IsNotFound(err) {
			return 0, err
		}
		if e := f.Event(which.EventUID); e != nil {
			which.EventUID = e.UID
		}
	}
	op := &operator.Operator{Store: docs, Notify: silent{}, Now: time.Now}
	if giveUp {
		return op.GiveUp(ctx, which)
	}
	return op.Retry(ctx, which)
}
