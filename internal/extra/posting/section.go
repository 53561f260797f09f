package posting

import (
	"embed"
	"html/template"
	"net/http"
	"net/url"
	"time"

	"github.com/found-footy/found-footy/internal/extra/posting/rule"
	"github.com/found-footy/found-footy/internal/footy"
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

// page adds a section to a goal's page, and what its buttons do.
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
		return pages.HTML("posted", s)
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
