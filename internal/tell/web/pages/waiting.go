package pages

import (
	"net/http"
	"net/url"
	"time"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
	"github.com/found-footy/found-footy/internal/tell/web/pages/frame"
)

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
