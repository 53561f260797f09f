package web

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/explain"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/ledger"
	"github.com/found-footy/found-footy/internal/store"
)

// postsShown bounds the posts of one cause on the page; acts on a cause and the API know all.
const postsShown = 100

// waitingView is everything that waits in the ledger, by cause.
type waitingView struct {
	Waiting int         `json:"waiting"`
	Oldest  time.Time   `json:"oldest,omitzero"` // start of the oldest trouble
	NextTry time.Time   `json:"next_try,omitzero"`
	Causes  []causeView `json:"causes"`
}

type causeView struct {
	Cause    footy.Reason  `json:"cause"`
	Words    string        `json:"words"`
	Count    int           `json:"count"`
	Oldest   time.Time     `json:"oldest"`
	NextTry  time.Time     `json:"next_try"`
	EventIDs []string      `json:"event_ids"`       // of goals that stand
	Posts    []waitingPost `json:"posts,omitempty"` // for operators only

	Goals []waitingGoal `json:"-"`
}

// Shown are the posts that the page lists, More is how many it leaves out.
func (c causeView) Shown() []waitingPost { return c.Posts[:min(len(c.Posts), postsShown)] }

// More is how many posts the page leaves out.
func (c causeView) More() int { return max(len(c.Posts)-postsShown, 0) }

type waitingPost struct {
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
	Goal   waitingGoal `json:"-"`
}

// waitingGoal is a goal in a list of posts; without a path it is not stored any more.
type waitingGoal struct {
	Path, Name, Match string
	Posts             int
	Removed           bool
}

// backlog reads what waits, with the fixtures it belongs to.
type backlog struct {
	causes   []ledger.Backlog
	fixtures map[int64]footy.Fixture
}

func (s *Server) backlog(ctx context.Context) (backlog, error) {
	return remember(ctx, s.cache, "waiting", cacheFor, func(ctx context.Context) (backlog, error) {
		b := backlog{fixtures: map[int64]footy.Fixture{}}
		posts, err := s.opt.Store.Posts(ctx, store.PostQuery{States: ledger.TroubledStates})
		if err != nil {
			return b, err
		}
		b.causes = ledger.Backlogs(posts)
		var ids []int64
		for _, c := range b.causes {
			for _, p := range c.Posts {
				ids = append(ids, p.FixtureID)
			}
		}
		slices.Sort(ids)
		if ids = slices.Compact(ids); len(ids) == 0 {
			return b, nil
		}
		list, err := s.opt.Store.List(ctx, store.FixtureQuery{IDs: ids})
		for _, f := range list {
			b.fixtures[f.ID] = f
		}
		return b, err
	})
}

// view is what a reader may see: the posts themselves, with what programs said of them, are for operators.
func (b backlog) view(operator bool) waitingView {
	v := waitingView{Causes: []causeView{}}
	for _, c := range b.causes {
		out := causeView{Cause: c.Cause, Words: explain.Wait(c.Cause), Count: len(c.Posts), Oldest: c.Oldest, NextTry: c.NextTry, EventIDs: []string{}}
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
				out.Posts = append(out.Posts, waitingPost{EventID: id, PostID: p.PostID, URL: safeURL(p.Candidate.URL), Since: p.WaitingSince, Tries: p.Tries,
					NextTry: p.NextTry, Trying: p.State != footy.PostWaiting, Detail: p.Detail, UID: p.EventUID, Author: p.Candidate.Author, Goal: g})
			}
		}
		v.Waiting += out.Count
		if v.Oldest.IsZero() || out.Oldest.Before(v.Oldest) {
			v.Oldest = out.Oldest
		}
		if v.NextTry.IsZero() || out.NextTry.Before(v.NextTry) {
			v.NextTry = out.NextTry
		}
		v.Causes = append(v.Causes, out)
	}
	return v
}

// goal names the goal of a post, and its public id.
func (b backlog) goal(p footy.Post) (waitingGoal, string) {
	f := b.fixtures[p.FixtureID]
	e := f.Event(p.EventUID)
	if e == nil {
		return waitingGoal{Name: p.EventUID, Posts: 1}, p.EventUID
	}
	return waitingGoal{Path: footy.GoalPath(e.ID), Name: footy.Label(*e), Match: f.Teams.Home.Name + " v " + f.Teams.Away.Name, Posts: 1, Removed: e.Removed}, e.ID
}

type waitingPage struct {
	base
	Waiting waitingView
	Actions bool
	Pause   time.Duration // the longest between two tries
}

func (s *Server) handleWaiting(w http.ResponseWriter, r *http.Request) {
	b, err := s.backlog(r.Context())
	if err != nil {
		s.fail(w, r, err)
		return
	}
	p := waitingPage{base: s.base(r, "Waiting"), Actions: s.opt.Commands != nil, Pause: s.opt.Timing.LongestPause}
	p.Waiting = b.view(p.Admin)
	w.Header().Set("Cache-Control", "no-store")
	s.render(w, r, http.StatusOK, "waiting", p)
}

// waitingAct carries out an operator's act on posts that wait and answers how many there were.
func (s *Server) waitingAct(ctx context.Context, action string, c ledger.Selection) (int, error) {
	if s.opt.Commands == nil {
		return 0, errReadOnly(action)
	}
	if err := c.Check(); err != nil {
		return 0, err
	}
	if c.EventUID != "" {
		_, e, err := s.event(ctx, c.EventUID)
		if err != nil && !footy.IsNotFound(err) {
			return 0, err
		}
		if err == nil { // else a goal that is not stored any more: the post alone says which
			c.EventUID = e.UID
		}
	}
	var n int
	var err error
	switch action {
	case "retry":
		n, err = s.opt.Commands.Retry(ctx, c)
	case "give-up":
		n, err = s.opt.Commands.GiveUp(ctx, c)
	default:
		return 0, footy.Errorf(footy.CodeNotFound, action, "There is no action %q.", action)
	}
	if n > 0 {
		s.log.InfoContext(ctx, "operator acted on posts that wait", "action", action, "event_id", c.EventUID, "post_id", c.PostID, "cause", string(c.Cause), "posts", n)
		s.hub.Publish(EntityHealth)
	}
	return n, err
}

func (s *Server) handleWaitingForm(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 16<<10)
	if !s.admin.admitsForm(r) {
		s.fail(w, r, footy.Errorf(footy.CodeAuthRequired, "act", "Sign in with the admin token first."))
		return
	}
	action := r.PathValue("action")
	n, err := s.waitingAct(r.Context(), action, ledger.Selection{EventUID: r.PostFormValue("event"), PostID: r.PostFormValue("post"), Cause: footy.Reason(r.PostFormValue("cause"))})
	if err != nil {
		s.fail(w, r, err)
		return
	}
	if n == 0 {
		action = "nothing"
	}
	http.Redirect(w, r, "/waiting?done="+url.QueryEscape(action), http.StatusSeeOther)
}

func (s *Server) apiWaiting(w http.ResponseWriter, r *http.Request) {
	b, err := s.backlog(r.Context())
	if err != nil {
		s.fail(w, r, err)
		return
	}
	addVary(w.Header(), "Cookie")
	addVary(w.Header(), "Authorization")
	w.Header().Set("Cache-Control", "no-store")
	s.reply(w, r, http.StatusOK, b.view(s.admin.admits(r)))
}

// apiWaitingAct takes the bearer token only, as apiAction does.
func (s *Server) apiWaitingAct(action string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if s.opt.AdminToken == "" || !sameToken(bearer(r), s.opt.AdminToken) {
			s.fail(w, r, footy.Errorf(footy.CodeAuthRequired, "act", "the admin token is needed"))
			return
		}
		var in struct {
			EventID string       `json:"event_id"`
			PostID  string       `json:"post_id"`
			Cause   footy.Reason `json:"cause"`
		}
		if err := readBody(w, r, 16<<10, true, &in); err != nil {
			s.fail(w, r, err)
			return
		}
		n, err := s.waitingAct(r.Context(), action, ledger.Selection{EventUID: in.EventID, PostID: in.PostID, Cause: in.Cause})
		if err != nil {
			s.fail(w, r, err)
			return
		}
		s.reply(w, r, http.StatusAccepted, map[string]any{"action": action, "posts": n})
	}
}
