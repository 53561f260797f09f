package api

import (
	"net/http"
	"sort"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/coverage"
	"github.com/found-footy/found-footy/internal/web/answer"
	"github.com/found-footy/found-footy/internal/web/lookup"
	"github.com/found-footy/found-footy/internal/web/view"
)

type eventBody struct {
	Event    view.Event      `json:"event"`
	Fixture  fixtureBrief    `json:"fixture"`
	Answer   coverage.Answer `json:"answer"`
	Timeline []footy.Entry   `json:"timeline"`
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

// Event is a goal with its clips, the answer to "why" and every decision.
func (s *Server) Event(w http.ResponseWriter, r *http.Request) error {
	f, e, err := s.Reader.Standing(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	rows, err := s.Reader.Rows(r.Context(), f, e)
	if err != nil {
		return err
	}
	if rows == nil {
		rows = []footy.Entry{}
	}
	return answer.JSON(w, r, http.StatusOK, eventBody{view.EventOf(f, e), brief(f), coverage.Why(rows, view.ClipVisible(e)), rows})
}

type datesBody struct {
	Dates []dateBody `json:"dates"`
}

type dateBody struct {
	Date     string `json:"date"`
	Fixtures int    `json:"fixtures"`
	Live     int    `json:"live"`
	Goals    int    `json:"goals"`
	WithClip int    `json:"with_clip"`
}

// Dates lists the days with matches.
func (s *Server) Dates(w http.ResponseWriter, r *http.Request) error {
	list, err := s.Reader.Window(r.Context())
	if err != nil {
		return err
	}
	zone, at, body := lookup.Zone(r), map[string]int{}, datesBody{Dates: []dateBody{}}
	for i := range list {
		v := view.FixtureOf(&list[i], zone)
		date := list[i].Match.Kickoff.In(zone).Format(lookup.DateForm)
		n, ok := at[date]
		if !ok {
			n = len(body.Dates)
			at[date] = n
			body.Dates = append(body.Dates, dateBody{Date: date})
		}
		var c view.Counts
		c.Add(v)
		d := &body.Dates[n]
		d.Fixtures, d.Goals, d.WithClip = d.Fixtures+1, d.Goals+c.Goals, d.WithClip+c.WithClip
		if v.Status.Phase == view.PhaseLive {
			d.Live++
		}
	}
	sort.Slice(body.Dates, func(i, j int) bool { return body.Dates[i].Date < body.Dates[j].Date })
	answer.Vary(w.Header(), "Cookie")
	return answer.JSON(w, r, http.StatusOK, body)
}
