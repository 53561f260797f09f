package web

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/store"
)

const (
	pageSize    = 50
	pageSizeMax = 500
)

// fixtureFilter is what the list can be asked for; zero fields do not restrict.
type fixtureFilter struct {
	from, to     time.Time
	stages       []footy.Stage
	team, league int64
	phase        Phase
	text         string
	limit        int
	after        cursor
}

// cursor is the place after the last thing of a page: a fixture by kickoff and id, a clip by when it was added and a
// number made of its id.
type cursor struct {
	kickoff time.Time
	id      int64
}

func (c cursor) String() string {
	if c.id == 0 {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%d.%d", c.kickoff.UnixMicro(), c.id))
}

func parseCursor(raw string) (c cursor, err error) {
	if raw == "" {
		return c, nil
	}
	body, err := base64.RawURLEncoding.DecodeString(raw)
	at, id, ok := strings.Cut(string(body), ".")
	unix, err1 := strconv.ParseInt(at, 10, 64)
	c.id, _ = strconv.ParseInt(id, 10, 64)
	if err != nil || err1 != nil || !ok || c.id == 0 {
		return c, footy.Errorf(footy.CodeInvalid, "read cursor", "cursor is not one that this API gave")
	}
	c.kickoff = time.UnixMicro(unix).UTC()
	return c, nil
}

func parseFilter(r *http.Request) (f fixtureFilter, err error) {
	q := r.URL.Query()
	bad := func(name, want string) error { return badParam(name, q.Get(name), want) }
	if d := q.Get("date"); d != "" {
		if f.from, f.to, err = dayOf(d, zoneOf(r)); err != nil {
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
	switch f.phase = Phase(q.Get("phase")); f.phase {
	case "", PhaseAhead, PhaseLive, PhaseOver, PhaseOff:
	default:
		return f, bad("phase", "ahead, live, over or off")
	}
	f.text = strings.TrimSpace(q.Get("q"))
	if f.text != "" && !searchable(f.text) {
		return f, bad("q", "a word to search for, in at most 200 bytes")
	}
	if f.limit, err = parseLimit(r); err != nil {
		return f, err
	}
	f.after, err = parseCursor(q.Get("cursor"))
	return f, err
}

func parseLimit(r *http.Request) (int, error) {
	v := r.URL.Query().Get("limit")
	if v == "" {
		return pageSize, nil
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 || n > pageSizeMax {
		return 0, badParam("limit", v, "a number from 1 to "+strconv.Itoa(pageSizeMax))
	}
	return n, nil
}

func (f fixtureFilter) keeps(x *footy.Fixture) bool {
	if f.after.id != 0 && !f.after.before(cursor{x.Match.Kickoff, x.ID}) {
		return false
	}
	return f.fits(x)
}

// before orders by time, then by id.
func (c cursor) before(o cursor) bool {
	a, b := c.kickoff.UnixMicro(), o.kickoff.UnixMicro()
	return a < b || (a == b && c.id < o.id)
}

// fits is keeps without the place in the list.
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
	return f.phase == "" || viewStatus(x.Match.Status).Phase == f.phase
}

type fixturesBody struct {
	Fixtures []fixtureView `json:"fixtures"`
	Next     string        `json:"next_cursor,omitempty"`
}

func (s *Server) apiFixtures(w http.ResponseWriter, r *http.Request) {
	f, err := parseFilter(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	zone := zoneOf(r)
	addVary(w.Header(), "Cookie")
	a, err := remember(r.Context(), s.cache, "api "+r.URL.RawQuery+" "+zone.String(), cacheFor, func(ctx context.Context) (*answer, error) {
		q := store.FixtureQuery{Stages: f.stages, From: f.from, To: f.to, Text: f.text}
		if f.after.id != 0 && f.after.kickoff.After(q.From) {
			q.From = f.after.kickoff
		}
		if f.from.IsZero() && f.text == "" && len(f.stages) == 0 && f.after.id == 0 {
			q.From = s.now().AddDate(0, 0, -14) // what is kept; never the whole database by accident
		}
		list, err := s.opt.Store.List(ctx, q)
		if err != nil {
			return nil, err
		}
		body := fixturesBody{Fixtures: []fixtureView{}}
		var last cursor
		for i := range list {
			if !f.keeps(&list[i]) {
				continue
			}
			if len(body.Fixtures) == f.limit {
				body.Next = last.String()
				break
			}
			body.Fixtures = append(body.Fixtures, viewFixture(&list[i], zone))
			last = cursor{list[i].Match.Kickoff, list[i].ID}
		}
		return jsonAnswer(http.StatusOK, body)
	})
	if err != nil {
		s.fail(w, r, err)
		return
	}
	a.send(w, r)
}

func (s *Server) apiFixture(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		s.fail(w, r, footy.Errorf(footy.CodeInvalid, "read fixture id", "the id is a number"))
		return
	}
	f, err := s.opt.Store.Fixture(r.Context(), id)
	if err != nil {
		if footy.IsNotFound(err) {
			err = footy.Errorf(footy.CodeNotFound, "find fixture", "there is no fixture %d", id)
		}
		s.fail(w, r, err)
		return
	}
	s.reply(w, r, http.StatusOK, viewFixture(&f, zoneOf(r)))
}
