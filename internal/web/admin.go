package web

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// perform runs one operator's action on an event and tells the readers. effect is what it did: the action, or restore-goal.
func (s *Server) perform(ctx context.Context, id, action, clip, reason string) (e *footy.Event, effect string, err error) {
	if s.opt.Commands == nil {
		return nil, "", errReadOnly(action)
	}
	var f *footy.Fixture
	if f, e, err = s.event(ctx, id); err != nil {
		return nil, "", err
	}
	if clip != "" && e.Clip(clip) == nil {
		return nil, "", footy.Errorf(footy.CodeNotFound, action, "This goal has no clip %q.", clip)
	}
	if err := s.possible(e, action, clip); err != nil {
		return nil, "", err
	}
	c := s.opt.Commands
	effect = action
	switch action {
	case "search-again":
		err = c.SearchAgain(ctx, e.UID)
	case "hide":
		err = c.Hide(ctx, e.UID, clip)
	case "restore":
		var goal bool
		if goal, err = c.Restore(ctx, e.UID, clip); goal {
			effect = "restore-goal"
		}
	case "take-down":
		err = c.TakeDown(ctx, e.UID, clip, reason)
	case "pin":
		err = c.Pin(ctx, e.UID, clip)
	case "unpin":
		err = c.Pin(ctx, e.UID, "")
	default:
		return nil, "", footy.Errorf(footy.CodeNotFound, action, "There is no action %q.", action)
	}
	if err != nil {
		return nil, "", err
	}
	s.log.InfoContext(ctx, "operator acted", "action", action, "event_id", e.ID, "clip_id", clip)
	s.hub.Publish(EntityFixture, fixtureKey(f.ID))
	s.hub.Publish(EntityEvent, e.UID)
	return e, effect, nil
}

func errReadOnly(action string) error {
	return footy.Errorf(footy.CodeInvalid, action, "This page is read only: no worker listens to it.")
}

// possible refuses what cannot be done before anything is changed.
func (s *Server) possible(e *footy.Event, action, clip string) error {
	switch {
	case action == "search-again" && s.opt.NoEngine:
		return &statusError{http.StatusServiceUnavailable, footy.CodeUnavailable, "The workflow engine is not connected, so no search can begin; set TEMPORAL_ADDRESS."}
	case action == "search-again" && e.Removed:
		return footy.Errorf(footy.CodeConflict, action, "This goal no longer stands: only one that stands can be searched for.")
	case action == "restore" && clip == "" && e.Removed && e.Swept:
		return footy.Errorf(footy.CodeConflict, action, "This goal was removed too long ago: its clips are deleted and cannot come back.")
	case clip == "" && action == "take-down":
		return footy.Errorf(footy.CodeInvalid, action, "Say which clip to take down (clip_id).")
	case clip == "" && action == "pin":
		return footy.Errorf(footy.CodeInvalid, action, "Say which clip to pin (clip_id); unpin removes a pin.")
	case clip != "" && (action == "pin" || action == "restore") && e.Clip(clip).Swept:
		return footy.Errorf(footy.CodeConflict, action, "Clip %q was taken down or has expired: its bytes are deleted and cannot come back.", clip)
	case action == "restore" && clip != "" && !e.Clip(clip).Hidden:
		return footy.Errorf(footy.CodeConflict, action, "Clip %q is not hidden: there is nothing to restore.", clip)
	case action == "restore" && clip == "" && !e.Removed && !slices.ContainsFunc(e.Clips, func(c footy.Clip) bool { return c.Hidden && !c.Swept }):
		return footy.Errorf(footy.CodeConflict, action, "This goal stands and none of its clips is hidden: there is nothing to restore.")
	}
	return nil
}

// apiAction is the API's door to perform; it takes the bearer token only, so no cookie can be abused for it.
func (s *Server) apiAction(w http.ResponseWriter, r *http.Request) {
	if s.opt.AdminToken == "" || !sameToken(bearer(r), s.opt.AdminToken) {
		s.fail(w, r, footy.Errorf(footy.CodeAuthRequired, "act", "the admin token is needed"))
		return
	}
	var in struct {
		ClipID string `json:"clip_id"`
		Reason string `json:"reason"`
	}
	if err := readBody(w, r, 16<<10, true, &in); err != nil {
		s.fail(w, r, err)
		return
	}
	e, effect, err := s.perform(r.Context(), r.PathValue("id"), r.PathValue("action"), in.ClipID, in.Reason)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.reply(w, r, http.StatusAccepted, map[string]any{"event_id": e.ID, "action": r.PathValue("action"), "effect": effect, "accepted": true})
}

// handleFormAction is the goal page's door to perform.
func (s *Server) handleFormAction(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 16<<10)
	if !s.admin.admitsForm(r) {
		s.fail(w, r, footy.Errorf(footy.CodeAuthRequired, "act", "Sign in with the admin token first."))
		return
	}
	e, effect, err := s.perform(r.Context(), r.PathValue("event"), r.PathValue("action"), r.PostFormValue("clip"), r.PostFormValue("reason"))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	http.Redirect(w, r, footy.GoalPath(url.PathEscape(e.ID))+"?done="+url.QueryEscape(effect), http.StatusSeeOther)
}

// told says after an action what it did.
var told = map[string]string{
	"search-again": "A new search has begun; its first answer takes some seconds.", "hide": "Out of sight for readers.",
	"restore": "Back in sight.", "restore-goal": "The goal stands again, by your word, until the feed lists it again and takes it back.", "take-down": "Taken down: its bytes are deleted and its content will not come back.",
	"pin": "Pinned: it is clip 1 from now on.", "unpin": "No longer pinned.",
	"retry": "Due now: the next cycle tries again.", "give-up": "Given up: it will not be tried again.", "nothing": "Nothing waited for that any more.",
}

type adminPage struct {
	base
	Enabled  bool
	Commands bool
	Wrong    bool
	Limited  bool
	Back     string
	Targets  []string
	Tested   string
}

func (s *Server) handleAdmin(w http.ResponseWriter, r *http.Request) {
	s.adminForm(w, r, http.StatusOK, adminPage{Tested: r.URL.Query().Get("tested")})
}

func (s *Server) adminForm(w http.ResponseWriter, r *http.Request, status int, p adminPage) {
	p.base = s.base(r, "Operator")
	p.Enabled, p.Commands, p.Back = s.opt.AdminToken != "", s.opt.Commands != nil, localPath(r.FormValue("back"))
	if s.opt.Notifications != nil {
		p.Targets = s.opt.Notifications.Targets()
	}
	s.render(w, r, status, "admin", p)
}

func (s *Server) handleLogin(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 16<<10)
	ok, limited := s.admin.open(w, r, r.PostFormValue("token"))
	switch {
	case limited:
		s.adminForm(w, r, http.StatusTooManyRequests, adminPage{Limited: true})
	case !ok:
		s.adminForm(w, r, http.StatusUnauthorized, adminPage{Wrong: true})
	default:
		http.Redirect(w, r, localPath(r.PostFormValue("back")), http.StatusSeeOther)
	}
}

func (s *Server) handleLogout(w http.ResponseWriter, r *http.Request) {
	s.admin.close(w, r)
	http.Redirect(w, r, "/admin", http.StatusSeeOther)
}

func (s *Server) handleNotifyTest(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 16<<10)
	if !s.admin.admitsForm(r) {
		s.fail(w, r, footy.Errorf(footy.CodeAuthRequired, "test notifications", "Sign in with the admin token first."))
		return
	}
	if s.opt.Notifications == nil {
		s.fail(w, r, footy.Errorf(footy.CodeInvalid, "test notifications", "No notifications are set up."))
		return
	}
	if err := s.opt.Notifications.Test(r.Context()); err != nil {
		s.log.WarnContext(r.Context(), "test message failed", "action", "notify_test", "error", err)
		http.Redirect(w, r, "/admin?tested=failed", http.StatusSeeOther)
		return
	}
	http.Redirect(w, r, "/admin?tested=ok", http.StatusSeeOther)
}

// localPath keeps a "back to" address on this site.
func localPath(p string) string {
	if !strings.HasPrefix(p, "/") || strings.HasPrefix(p, "//") || strings.ContainsAny(p, "\\\r\n") {
		return "/admin"
	}
	return p
}
