package api

import (
	"net/http"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web/actions"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
)

// Waiting lists what waits; operators see each post.
func (s *Server) Waiting(w http.ResponseWriter, r *http.Request) error {
	b, err := s.Reader.Waiting(r.Context())
	if err != nil {
		return err
	}
	answer.Vary(w.Header(), "Cookie")
	answer.Vary(w.Header(), "Authorization")
	w.Header().Set("Cache-Control", "no-store")
	return answer.JSON(w, r, http.StatusOK, b.View(s.Operators.Admits(r)))
}

// ActOnWaiting carries out an operator's action on posts that wait.
func (s *Server) ActOnWaiting(action string) answer.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		var in struct {
			EventID string       `json:"event_id"`
			PostID  string       `json:"post_id"`
			Cause   footy.Reason `json:"cause"`
		}
		if err := s.readAction(r, &in); err != nil {
			return err
		}
		n, err := s.Actions.OnWaiting(r.Context(), action, ledger.Selection{EventUID: in.EventID, PostID: in.PostID, Cause: in.Cause})
		if err != nil {
			return err
		}
		return answer.JSON(w, r, http.StatusAccepted, map[string]any{"action": action, "posts": n})
	}
}

// ActOnEvent carries out an operator's action on an event or one of its clips.
func (s *Server) ActOnEvent(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		ClipID string `json:"clip_id"`
		Reason string `json:"reason"`
	}
	if err := s.readAction(r, &in); err != nil {
		return err
	}
	action := r.PathValue("action")
	e, effect, err := s.Actions.OnEvent(r.Context(), r.PathValue("id"), actions.OnEvent{Action: action, Clip: in.ClipID, Reason: in.Reason})
	if err != nil {
		return err
	}
	return answer.JSON(w, r, http.StatusAccepted, map[string]any{"event_id": e.ID, "action": action, "effect": effect, "accepted": true})
}

// readAction checks the token, then reads the body, which may have known fields only.
func (s *Server) readAction(r *http.Request, into any) error {
	if err := s.Operators.CheckToken(r); err != nil {
		return err
	}
	return answer.ReadBody(r, true, into)
}
