package pages

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/web/actions"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
	"github.com/found-footy/found-footy/internal/tell/web/pages/frame"
	"github.com/found-footy/found-footy/internal/tell/web/session"
)

// ActOnEvent takes the goal page's forms.
func (s *Server) ActOnEvent(w http.ResponseWriter, r *http.Request) error {
	if err := s.Operators.CheckForm(r); err != nil {
		return err
	}
	e, effect, err := s.Actions.OnEvent(r.Context(), r.PathValue("event"), actions.OnEvent{Action: r.PathValue("action"), Clip: r.PostFormValue("clip"),
		Reason: r.PostFormValue("reason")})
	if err != nil {
		return err
	}
	http.Redirect(w, r, footy.GoalPath(url.PathEscape(e.ID))+"?done="+url.QueryEscape(effect), http.StatusSeeOther)
	return nil
}

const standsAgain = "It stands again. The feed can cancel it only after listing it again."

// effects say what an action did.
var effects = map[string]string{
	"search-again": "A new search has begun; its first answer takes some seconds.", "hide": "Hidden from readers.",
	"restore": "Visible again.", "restore-copy": "No longer hidden. Readers see no more than before: it is a copy of a clip that ranks in its place.",
	"restore-goal": standsAgain + " Its clips are visible again.", "restore-goal-searching": standsAgain + " It has no clip yet; one is searched for once it is certain.",
	"restore-goal-bare": standsAgain + " It has no clip to show.", "take-down": "Taken down: its bytes are deleted and its content will not come back.",
	"pin": "Pinned: it is clip 1 from now on.", "unpin": "No longer pinned.",
	"retry": "Due now: the next cycle tries again.", "give-up": "Given up: it will not be tried again.", "nothing": "Nothing waited for that any more.",
}

// effectOf says what the action did that led to this page.
func effectOf(r *http.Request) string { return effects[r.URL.Query().Get("done")] }

type operatorPage struct {
	frame.Base
	Enabled  bool
	Commands bool
	SetsUp   bool // there is a page of settings
	Wrong    bool
	Back     string
	Targets  []target
}

// target is an address of notifications, with the result of a test.
type target struct {
	Name, Did, Failed string
}

// Operator is where operators sign in.
func (s *Server) Operator(w http.ResponseWriter, r *http.Request) error {
	return s.operator(w, r, http.StatusOK, operatorPage{})
}

func (s *Server) operator(w http.ResponseWriter, r *http.Request, status int, p operatorPage) error {
	p.Base = s.Frame.Base(r, "Operator")
	p.Enabled, p.Commands, p.SetsUp, p.Back = s.Operators.Enabled(), s.Actions.Enabled(), s.Setup != nil, localPath(r.FormValue("back"))
	if p.Targets == nil {
		for _, t := range s.Notifications {
			p.Targets = append(p.Targets, target{Name: t.Name})
		}
	}
	return s.pages.Send(w, r, status, "admin", p)
}

// SignIn opens a session to who knows the token.
func (s *Server) SignIn(w http.ResponseWriter, r *http.Request) error {
	if !s.Operators.SignIn(w, r, r.PostFormValue("token")) {
		return s.operator(w, r, http.StatusUnauthorized, operatorPage{Wrong: true})
	}
	http.Redirect(w, r, localPath(r.PostFormValue("back")), http.StatusSeeOther)
	return nil
}

// SignOut ends a session.
func (s *Server) SignOut(w http.ResponseWriter, r *http.Request) error {
	session.SignOut(w, r)
	http.Redirect(w, r, "/admin", http.StatusSeeOther)
	return nil
}

// TestNotifications tries one target, or all, and says what came of it.
func (s *Server) TestNotifications(w http.ResponseWriter, r *http.Request) error {
	if err := s.Operators.CheckForm(r); err != nil {
		return err
	}
	if len(s.Notifications) == 0 {
		return footy.Errorf(footy.CodeInvalid, "test notifications", "No notifications are set up.")
	}
	var p operatorPage
	for i, n := range s.Notifications {
		t := target{Name: n.Name}
		if which := r.PostFormValue("target"); which == "" || which == strconv.Itoa(i) {
			did, err := n.Test(r.Context())
			if t.Did = did; err != nil {
				s.Log.WarnContext(r.Context(), "test message failed", "action", "notify_test", "target", n.Name, "error", err)
				t.Did, t.Failed = "", footy.UserMessage(err)
			}
		}
		p.Targets = append(p.Targets, t)
	}
	return s.operator(w, r, http.StatusOK, p)
}

// localPath is where a form leads back to: paths of this site only.
func localPath(p string) string {
	if answer.LocalPath(p) {
		return p
	}
	return "/admin"
}

type waitingPage struct {
	frame.Base
	Waiting view.Waiting
	Actions bool
	Pause   time.Duration // the longest between two tries
	Effect  string        // what an operator's action did
}

// Waiting lists the posts that are blocked by an outage.
func (s *Server) Waiting(w http.ResponseWriter, r *http.Request) error {
	b, err := s.Reader.Waiting(r.Context())
	if err != nil {
		return err
	}
	p := waitingPage{Base: s.Frame.Base(r, "Waiting"), Actions: s.Actions.Enabled(), Pause: s.Timing.LongestPause, Effect: effectOf(r)}
	p.Waiting = b.View(p.Admin)
	w.Header().Set("Cache-Control", "no-store")
	return s.pages.Send(w, r, http.StatusOK, "waiting", p)
}

// ActOnWaiting takes the forms of that page.
func (s *Server) ActOnWaiting(w http.ResponseWriter, r *http.Request) error {
	if err := s.Operators.CheckForm(r); err != nil {
		return err
	}
	action := r.PathValue("action")
	n, err := s.Actions.OnWaiting(r.Context(), action, ledger.Selection{EventUID: r.PostFormValue("event"), PostID: r.PostFormValue("post"), Cause: footy.Reason(r.PostFormValue("cause"))})
	if err != nil {
		return err
	}
	if n == 0 {
		action = "nothing"
	}
	http.Redirect(w, r, "/waiting?done="+url.QueryEscape(action), http.StatusSeeOther)
	return nil
}

// withWaiting adds to an event's chip what its posts wait for: it is not done while they do.
func withWaiting(v *view.Event, e *footy.Event, posts []footy.Post) {
	n := explain.InTrouble(posts)
	if n == 0 || e.Removed {
		return
	}
	label := explain.Plural(n, "post waits", "posts wait")
	if !e.Round.EndedAt.IsZero() || e.DownloadComplete {
		v.StatusLabel = label
	} else {
		v.StatusLabel += ", " + label
	}
	v.Waiting = n
}
