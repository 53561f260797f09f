package web

import (
	"context"
	"net/http"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/coverage"
	"github.com/found-footy/found-footy/internal/store"
)

type eventBody struct {
	Event    eventView       `json:"event"`
	Fixture  fixtureBrief    `json:"fixture"`
	Answer   coverage.Answer `json:"answer"`
	Timeline []footy.Entry   `json:"timeline"`
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
	return fixtureBrief{f.ID, f.Match.Kickoff.UTC(), viewStatus(f.Match.Status), viewLeague(f.League), viewTeam(f.Teams.Home), viewTeam(f.Teams.Away), f.Goals}
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
	if rows == nil {
		rows = []footy.Entry{}
	}
	s.reply(w, r, http.StatusOK, eventBody{viewEvent(f, e), brief(f), coverage.Why(rows), rows})
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

type videosBody struct {
	Videos []videoBody `json:"videos"`
}

type videoBody struct {
	clipView
	EventID string     `json:"event_id"`
	Scorer  string     `json:"scorer"`
	Minute  string     `json:"minute_label"`
	Home    string     `json:"home"`
	Away    string     `json:"away"`
	Side    footy.Side `json:"side"`
}

// apiVideos lists clips, newest first, of a day or of the last ones.
func (s *Server) apiVideos(w http.ResponseWriter, r *http.Request) {
	f, err := parseFilter(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	list, err := s.window(r.Context())
	if err != nil {
		s.fail(w, r, err)
		return
	}
	verified := r.URL.Query().Get("verified") == "true"
	body := videosBody{Videos: []videoBody{}}
	for i := range list {
		k := list[i].Match.Kickoff
		if !f.keeps(&list[i]) || (!f.from.IsZero() && (k.Before(f.from) || !k.Before(f.to))) {
			continue
		}
		for _, e := range viewFixture(&list[i], time.UTC).Events {
			for _, c := range e.Clips {
				if c.Verified || !verified {
					body.Videos = append(body.Videos, videoBody{c, e.ID, e.Scorer, e.MinuteLabel, e.Home, e.Away, e.Side})
				}
			}
		}
	}
	sort.SliceStable(body.Videos, func(i, j int) bool { return body.Videos[i].AddedAt.After(body.Videos[j].AddedAt) })
	body.Videos = body.Videos[:min(len(body.Videos), f.limit)]
	s.reply(w, r, http.StatusOK, body)
}

type searchBody struct {
	Query    string        `json:"query"`
	Fixtures []fixtureView `json:"fixtures"`
}

// searchable reports whether a text holds anything to search for: punctuation alone would match everything.
func searchable(text string) bool { return len(text) <= 200 && store.Fold(text) != "" }

// find is the search of page and API: every word must occur in a team, league or scorer name.
func (s *Server) find(ctx context.Context, text string, zone *time.Location) ([]fixtureView, error) {
	list, err := s.opt.Store.List(ctx, store.FixtureQuery{Text: text})
	if err != nil {
		return nil, err
	}
	out := make([]fixtureView, 0, min(len(list), pageSize))
	for i := len(list) - 1; i >= 0 && len(out) < pageSize; i-- { // newest first
		out = append(out, viewFixture(&list[i], zone))
	}
	return out, nil
}

func (s *Server) apiSearch(w http.ResponseWriter, r *http.Request) {
	text := strings.TrimSpace(r.URL.Query().Get("q"))
	if !searchable(text) {
		s.fail(w, r, footy.Errorf(footy.CodeInvalid, "search", "q must hold a word to search for, in at most 200 bytes"))
		return
	}
	found, err := s.find(r.Context(), text, zoneOf(r))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.reply(w, r, http.StatusOK, searchBody{text, found})
}

func (s *Server) apiHealth(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	s.reply(w, r, http.StatusOK, s.health(r.Context()))
}

type coverageBody struct {
	Days []coverageDay `json:"days"`
}

type coverageDay struct {
	Date string `json:"date"`
	coverage.Measure
	Share         float64 `json:"share"`
	MedianSeconds float64 `json:"median_seconds"`
}

// coverageDays measures each of the last 14 days and today, in the reader's zone.
func (s *Server) coverageDays(ctx context.Context, zone *time.Location, days int) ([]coverageDay, error) {
	list, err := s.window(ctx)
	if err != nil {
		return nil, err
	}
	byDay := map[string][]footy.Fixture{}
	for i := range list {
		d := list[i].Match.Kickoff.In(zone).Format(dateForm)
		byDay[d] = append(byDay[d], list[i])
	}
	today := s.now().In(zone)
	out := make([]coverageDay, 0, days)
	for i := days - 1; i >= 0; i-- {
		d := today.AddDate(0, 0, -i).Format(dateForm)
		m := coverage.Of(byDay[d])
		out = append(out, coverageDay{Date: d, Measure: m, Share: m.Share(), MedianSeconds: m.Median.Seconds()})
	}
	return out, nil
}

// together is several days as one; the median is that of all their goals.
func together(days []coverageDay) coverageDay {
	var m coverage.Measure
	for _, d := range days {
		m = m.Plus(d.Measure)
	}
	return coverageDay{Measure: m, Share: m.Share(), MedianSeconds: m.Median.Seconds()}
}

func (s *Server) apiCoverage(w http.ResponseWriter, r *http.Request) {
	days := 15
	if v := r.URL.Query().Get("days"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 || n > 15 {
			s.fail(w, r, footy.Errorf(footy.CodeInvalid, "read days", "days must be a number from 1 to 15"))
			return
		}
		days = n
	}
	out, err := s.coverageDays(r.Context(), zoneOf(r), days)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	addVary(w.Header(), "Cookie")
	s.reply(w, r, http.StatusOK, coverageBody{out})
}
