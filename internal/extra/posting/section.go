package posting

import (
	"context"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"time"

	"github.com/found-footy/found-footy/internal/extra/posting/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/tell/web"
	"github.com/found-footy/found-footy/internal/tell/web/limit"
	"github.com/found-footy/found-footy/internal/tell/web/pages/frame"
)

//go:embed templates
var files embed.FS

// done says what an operator's answer did.
var done = map[string]string{"post-again": "It is posted again, within five minutes at most.",
	"post-is-there": "Noted. The post stays as it is: edit or delete it by hand."}

type section struct {
	Event  *footy.Event
	Posts  []shown
	Done   string
	CSRF   string
	Answer bool // the reader may say what became of a post
}

// shown is a post of our own about the goal.
type shown struct {
	rule.Posting
	Words, Next string
}

// Unsure reports whether an operator has to say what became of it.
func (s shown) Unsure() bool { return s.Step == rule.Unsure }

func page(c port.Core, lent web.Lent) (web.Part, error) {
	pages, err := lent.Frame.Add(files)
	if err != nil {
		return web.Part{}, err
	}
	show := func(r *http.Request, of frame.Of) (template.HTML, error) {
		all, err := rule.All(of.Event)
		if err != nil || len(all) == 0 {
			return "", err
		}
		s := section{Event: of.Event, Done: done[r.URL.Query().Get("done")], CSRF: lent.Operators.FormToken(r), Answer: lent.Operators.SignedIn(r)}
		for _, p := range all {
			is := shown{p, p.ForReaders(), p.Next(time.Now())}
			if s.Answer {
				is.Words = p.ForOperators()
			}
			s.Posts = append(s.Posts, is)
		}
		return pages.HTML(of.Language, "posted", s)
	}
	part := web.Part{Sections: []frame.Section{{At: frame.Goal, Show: show}}}
	for action, there := range map[string]bool{"post-again": false, "post-is-there": true} {
		part.Routes = append(part.Routes, web.Route{Pattern: "POST /admin/events/{event}/" + action, Cost: limit.Page, Handle: func(w http.ResponseWriter, r *http.Request) error {
			if err := lent.Operators.CheckForm(r); err != nil {
				return err
			}
			target := r.PostFormValue("target")
			e, err := settle(r.Context(), c.Store, c.Page, r.PathValue("event"), target, there)
			if err != nil {
				return err
			}
			c.Log.InfoContext(r.Context(), "operator acted", "module", "posting", "action", "settle", "event_id", e.ID, "target", target, "there", there)
			http.Redirect(w, r, footy.GoalPath(url.PathEscape(e.ID))+"?done="+action, http.StatusSeeOther)
			return nil
		}})
	}
	return part, nil
}

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
