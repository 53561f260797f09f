package api

import (
	"context"
	"fmt"
	"hash/fnv"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
)

// fixtureFilter selects fixtures; fields that are zero do not restrict.
type fixtureFilter struct {
	from, to     time.Time
	stages       []footy.Stage
	team, league int64
	phase        view.Phase
	text         string
	limit        int
	after        lookup.Cursor
}

func parseFilter(r *http.Request) (f fixtureFilter, err error) {
	q := r.URL.Query()
	bad := func(name, want string) error { return answer.BadParam(name, q.Get(name), want) }
	if d := q.Get("date"); d != "" {
		if f.from, f.to, err = lookup.ParseDay(d, lookup.Zone(r)); err != nil {
			return f, err
		}
	}
	for s := range strings.SplitSeq(q.Get("stage"), ",") {
		switch st := footy.Stage(s); st {
		case "":
		case footy.StageStaging, footy.StageActive, footy.StageCompleted:
			f.stages = append(f.stages, st)
		default:
			return f, bad("stage", "staging, active or completed")
		}
	}
	for name, to := range map[string]*int64{"team": &f.team, "league": &f.league} {
		if v := q.Get(name); v != "" {
			if *to, err = strconv.ParseInt(v, 10, 64); err != nil {
				return f, bad(name, "a number")
			}
		}
	}
	switch f.phase = view.Phase(q.Get("phase")); f.phase {
	case "", view.PhaseAhead, view.PhaseLive, view.PhaseOver, view.PhaseOff:
	default:
		return f, bad("phase", "ahead, live, over or off")
	}
	if text := strings.TrimSpace(q.Get("q")); text != "" {
		if !lookup.Searchable(text) {
			return f, bad("q", "a word to search for, in at most 200 bytes")
		}
		words := strings.Fields(store.Fold(text))
		slices.Sort(words)
		f.text = strings.Join(slices.Compact(words), " ")
	}
	slices.Sort(f.stages)
	f.stages = slices.Compact(f.stages)
	f.limit = limitOf(r)
	f.after, err = lookup.ParseCursor(q.Get("cursor"))
	return f, err
}

// key is the filter in one spelling, however it was asked for.
func (f fixtureFilter) key() string {
	return fmt.Sprint(f.from.Unix(), " ", f.to.Unix(), f.stages, f.team, " ", f.league, " ", f.phase, " ", f.text, " ", f.limit, " ", f.after)
}

// fits checks everything but the time and the cursor.
func (f fixtureFilter) fits(x *footy.Fixture) bool {
	if len(f.stages) > 0 && !slices.Contains(f.stages, x.Stage) {
		return false
	}
	if f.team != 0 && x.Teams.Home.ID != f.team && x.Teams.Away.ID != f.team {
		return false
	}
	if f.league != 0 && x.League.ID != f.league {
		return false
	}
	return f.phase == "" || view.StatusOf(x.Match.Status).Phase == f.phase
}

type fixturesBody struct {
	Fixtures []view.Fixture `json:"fixtures"`
	Next     string         `json:"next_cursor,omitempty"`
}

// Fixtures lists matches by kickoff.
func (s *Server) Fixtures(w http.ResponseWriter, r *http.Request) error {
	f, err := parseFilter(r)
	if err != nil {
		return err
	}
	return s.Reader.SendCached(w, r, "api "+f.key(), func(ctx context.Context) (*answer.Answer, error) {
		q := store.FixtureQuery{Stages: f.stages, From: f.from, To: f.to, Text: f.text}
		if f.from.IsZero() && f.text == "" && len(f.stages) == 0 && f.after.ID == 0 {
			q.From = s.Reader.KeptFrom() // never the whole database by accident
		}
		list, next, err := s.Reader.Fixtures(ctx, q, f.fits, f.after, f.limit)
		if err != nil {
			return nil, err
		}
		return answer.NewJSON(http.StatusOK, fixturesBody{view.FixturesOf(list, time.UTC), next})
	})
}

// Fixture is one match.
func (s *Server) Fixture(w http.ResponseWriter, r *http.Request) error {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		return footy.Errorf(footy.CodeInvalid, "read fixture id", "the id is a number")
	}
	f, err := s.Reader.Store.Fixture(r.Context(), id)
	if err != nil {
		if footy.IsNotFound(err) {
			return footy.Errorf(footy.CodeNotFound, "find fixture", "there is no fixture %d", id)
		}
		return err
	}
	return answer.JSON(w, r, http.StatusOK, view.FixtureOf(&f, lookup.Zone(r)))
}

type searchBody struct {
	Query    string         `json:"query"`
	Fixtures []view.Fixture `json:"fixtures"`
	Next     string         `json:"next_cursor,omitempty"`
}

// Search finds matches by team, competition or scorer.
func (s *Server) Search(w http.ResponseWriter, r *http.Request) error {
	text := strings.TrimSpace(r.URL.Query().Get("q"))
	if !lookup.Searchable(text) {
		return footy.Errorf(footy.CodeInvalid, "search", "q must hold a word to search for, in at most 200 bytes")
	}
	after, err := lookup.ParseCursor(r.URL.Query().Get("cursor"))
	if err != nil {
		return err
	}
	found, next, err := s.Reader.Search(r.Context(), text, lookup.Zone(r), after, limitOf(r))
	if err != nil {
		return err
	}
	answer.Vary(w.Header(), "Cookie")
	return answer.JSON(w, r, http.StatusOK, searchBody{text, found, next})
}

type videosBody struct {
	Videos []videoBody `json:"videos"`
	Next   string      `json:"next_cursor,omitempty"`
}

type videoBody struct {
	view.Clip
	EventID string     `json:"event_id"`
	Scorer  string     `json:"scorer"`
	Minute  string     `json:"minute_label"`
	Home    string     `json:"home"`
	Away    string     `json:"away"`
	Side    footy.Side `json:"side"`
}

// Videos lists clips, newest first, of a day or of the last ones.
func (s *Server) Videos(w http.ResponseWriter, r *http.Request) error {
	f, err := parseFilter(r)
	if err != nil {
		return err
	}
	f.text = "" // it is not searched for here
	verified := r.URL.Query().Get("verified") == "true"
	return s.Reader.SendCached(w, r, fmt.Sprint("videos ", verified, " ", f.key()), func(ctx context.Context) (*answer.Answer, error) {
		list, err := s.Reader.KeptFixtures(ctx)
		if err != nil {
			return nil, err
		}
		page, next := f.videos(list, verified)
		return answer.NewJSON(http.StatusOK, videosBody{page, next})
	})
}

func (f fixtureFilter) videos(list []footy.Fixture, verified bool) (page []videoBody, next string) {
	videos := []videoBody{}
	for i := range list {
		k := list[i].Match.Kickoff
		if !f.fits(&list[i]) || (!f.from.IsZero() && (k.Before(f.from) || !k.Before(f.to))) {
			continue
		}
		for _, e := range view.FixtureOf(&list[i], time.UTC).Events {
			for _, c := range e.Clips {
				if c.Verified || !verified {
					videos = append(videos, videoBody{c, e.ID, e.Scorer, e.MinuteLabel, e.Home, e.Away, e.Side})
				}
			}
		}
	}
	slices.SortFunc(videos, func(a, b videoBody) int { return lookup.NewestFirst(a.place(), b.place()) })
	return lookup.Page(videos, (*videoBody).place, lookup.NewestFirst, f.after, f.limit)
}

// place is where a clip stands in the list of all.
func (v *videoBody) place() lookup.Cursor {
	h := fnv.New64a()
	_, _ = h.Write([]byte(v.EventID + v.ID))
	return lookup.Cursor{At: v.AddedAt, ID: int64(h.Sum64()>>2) + 1}
}

// Checked refuses bad values of parameters that all paths of the API share. Pages for people use the default instead.
func Checked(next answer.Handler) answer.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := checkParams(r); err != nil {
			return err
		}
		return next(w, r)
	}
}

func checkParams(r *http.Request) error {
	q := r.URL.Query()
	if q.Has("tz") {
		if _, ok := lookup.ParseZone(q.Get("tz")); !ok {
			return answer.BadParam("tz", q.Get("tz"), "a time zone like Europe/Berlin or UTC")
		}
	}
	if q.Has("date") {
		if _, _, err := lookup.ParseDay(q.Get("date"), time.UTC); err != nil {
			return answer.BadParam("date", q.Get("date"), "a day like 2026-11-14")
		}
	}
	if q.Has("verified") {
		if v := q.Get("verified"); v != "true" && v != "false" {
			return answer.BadParam("verified", v, "true or false")
		}
	}
	for name, most := range map[string]int{"limit": lookup.PageSizeMax, "days": lookup.CoverageDays} {
		if n, err := strconv.Atoi(q.Get(name)); q.Has(name) && (err != nil || n < 1 || n > most) {
			return answer.BadParam(name, q.Get(name), "a number from 1 to "+strconv.Itoa(most))
		}
	}
	return nil
}

// limitOf is the length of a list; checkParams has refused bad values.
func limitOf(r *http.Request) int {
	if n, err := strconv.Atoi(r.URL.Query().Get("limit")); err == nil {
		return n
	}
	return lookup.PageSize
}
