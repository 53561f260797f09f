package api

import (
	"net/http"
	"time"

	"github.com/found-footy/found-footy/internal/decide/clip/delay"
	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/web/actions"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
)

type eventBody struct {
	Event    view.Event     `json:"event"`
	Fixture  fixtureBrief   `json:"fixture"`
	Answer   explain.Answer `json:"answer"`
	Timeline []rowView      `json:"timeline"`

	FirstClip *firstClip `json:"first_clip,omitempty"`
}

// firstClip is how long the first clip took, and where the time went.
type firstClip struct {
	Seconds float64       `json:"seconds"`
	Stages  []delay.Stage `json:"stages"`
}

func firstClipOf(rows []footy.Entry) *firstClip {
	way := delay.In(rows)
	if way == nil {
		return nil
	}
	return &firstClip{way.Whole().Seconds(), way.Stages()}
}

type fixtureBrief struct {
	ID      int64       `json:"id"`
	Kickoff time.Time   `json:"kickoff"`
	Status  view.Status `json:"status"`
	League  view.League `json:"league"`
	Home    view.Team   `json:"home"`
	Away    view.Team   `json:"away"`
	Score   footy.Score `json:"score"`
}

// rowView is a row of the log with its sentence, fit for strangers.
type rowView struct {
	footy.Entry
	Text string `json:"text"`
}

func rowsOf(rows []footy.Entry, names explain.Names) []rowView {
	out := make([]rowView, len(rows))
	for i, r := range rows {
		out[i] = rowView{explain.Public(r), explain.Row(r, names)}
	}
	return out
}

// Event is a goal with its clips, the answer to "why" and every decision.
func (s *Server) Event(w http.ResponseWriter, r *http.Request) error {
	f, e, err := s.Reader.StandingEvent(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	posts, rows, err := s.Reader.Record(r.Context(), f, e)
	if err != nil {
		return err
	}
	brief := fixtureBrief{f.ID, f.Match.Kickoff.UTC(), view.StatusOf(f.Match.Status), view.LeagueOf(f.League), view.TeamOf(f.Teams.Home), view.TeamOf(f.Teams.Away), f.Score}
	return answer.JSON(w, r, http.StatusOK, eventBody{view.EventOf(f, e), brief, explain.Why(e, posts, rows), rowsOf(rows, explain.ClipNames(e)), firstClipOf(rows)})
}

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
