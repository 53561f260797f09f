package web

import (
	"context"
	"net/http"
	"sort"
	"time"

	"github.com/found-footy/found-footy/internal/explain"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/store"
)

type eventBody struct {
	Event    eventView      `json:"event"`
	Fixture  fixtureBrief   `json:"fixture"`
	Answer   explain.Answer `json:"answer"`
	Timeline []rowView      `json:"timeline"`
}

// rowView is a row of the log with its sentence, fit for strangers.
type rowView struct {
	footy.Entry
	Text string `json:"text"`
}

func viewRows(rows []footy.Entry, names explain.Names) []rowView {
	out := make([]rowView, len(rows))
	for i, r := range rows {
		out[i] = rowView{explain.Public(r), explain.Row(r, names)}
	}
	return out
}

type fixtureBrief struct {
	ID      int64       `json:"id"`
	Kickoff time.Time   `json:"kickoff"`
	Status  statusView  `json:"status"`
	League  leagueView  `json:"league"`
	Home    teamView    `json:"home"`
	Away    teamView    `json:"away"`
	Score   footy.Score `json:"score"`
}

func brief(f *footy.Fixture) fixtureBrief {
	return fixtureBrief{f.ID, f.Match.Kickoff.UTC(), viewStatus(f.Match.Status), viewLeague(f.League), viewTeam(f.Teams.Home), viewTeam(f.Teams.Away), f.Score}
}

// story reads an event's rows, and those rows of its fixture that concern every event (polls that failed or were not
// trusted while it was being watched).
func (s *Server) story(ctx context.Context, f *footy.Fixture, e *footy.Event) ([]footy.Entry, error) {
	rows, err := s.opt.Store.Entries(ctx, store.LogQuery{FixtureID: f.ID, EventUID: e.UID})
	if err != nil {
		return nil, err
	}
	polls, err := s.opt.Store.Entries(ctx, store.LogQuery{FixtureID: f.ID, Since: e.FirstSeen,
		Kinds: []footy.EntryKind{footy.EntryDistrusted, footy.EntryPollFailed, footy.EntryTrusted}})
	if err != nil {
		return nil, err
	}
	for _, p := range polls {
		if p.EventUID == "" && (e.CompletedAt.IsZero() || p.At.Before(e.CompletedAt)) {
			rows = append(rows, p)
		}
	}
	sort.SliceStable(rows, func(i, j int) bool { return rows[i].At.Before(rows[j].At) })
	return rows, nil
}

func (s *Server) apiEvent(w http.ResponseWriter, r *http.Request) {
	f, e, err := s.standing(r.Context(), r.PathValue("id"))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	rows, err := s.story(r.Context(), f, e)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.reply(w, r, http.StatusOK, eventBody{viewEvent(f, e), brief(f), explain.Why(rows, visible(e)), viewRows(rows, clipNames(e))})
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

// window is everything that is kept: 14 days back, 30 ahead.
func (s *Server) window(ctx context.Context) ([]footy.Fixture, error) {
	now := s.now()
	return remember(ctx, s.cache, "window", 10*cacheFor, func(ctx context.Context) ([]footy.Fixture, error) {
		return s.opt.Store.List(ctx, store.FixtureQuery{From: now.AddDate(0, 0, -15), To: now.AddDate(0, 0, 31)})
	})
}

func (s *Server) apiDates(w http.ResponseWriter, r *http.Request) {
	list, err := s.window(r.Context())
	if err != nil {
		s.fail(w, r, err)
		return
	}
	zone, at, body := zoneOf(r), map[string]int{}, datesBody{Dates: []dateBody{}}
	for i := range list {
		v := viewFixture(&list[i], zone)
		date := list[i].Match.Kickoff.In(zone).Format(dateForm)
		n, ok := at[date]
		if !ok {
			n = len(body.Dates)
			at[date] = n
			body.Dates = append(body.Dates, dateBody{Date: date})
		}
		var c dayCounts
		c.add(v)
		d := &body.Dates[n]
		d.Fixtures, d.Goals, d.WithClip = d.Fixtures+1, d.Goals+c.Goals, d.WithClip+c.WithClip
		if v.Status.Phase == PhaseLive {
			d.Live++
		}
	}
	sort.Slice(body.Dates, func(i, j int) bool { return body.Dates[i].Date < body.Dates[j].Date })
	addVary(w.Header(), "Cookie")
	s.reply(w, r, http.StatusOK, body)
}
