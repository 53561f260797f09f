package api

import (
	"net/http"
	"time"

	"github.com/found-footy/found-footy/internal/decide/clip/delay"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
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

func brief(f *footy.Fixture) fixtureBrief {
	return fixtureBrief{f.ID, f.Match.Kickoff.UTC(), view.StatusOf(f.Match.Status), view.LeagueOf(f.League), view.TeamOf(f.Teams.Home), view.TeamOf(f.Teams.Away), f.Score}
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
	return answer.JSON(w, r, http.StatusOK, eventBody{view.EventOf(f, e), brief(f), explain.Why(e, posts, rows), rowsOf(rows, explain.ClipNames(e)), firstClipOf(rows)})
}
