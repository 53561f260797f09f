package api

import (
	"context"
	"fmt"
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
