package web

import (
	"context"
	"net/http"
	"sort"
	"strings"
	"time"
	_ "time/tzdata" // readers choose their zone; the machine may know none

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/health"
	"github.com/found-footy/found-footy/internal/store"
)

const dateForm = "2006-01-02"

// cacheFor bounds how old a page may be when a note got lost; notes make it fresh at once.
const cacheFor = 2 * time.Second

// zoneOf is the reader's time zone: asked for in the address, else remembered by the browser, else UTC.
func zoneOf(r *http.Request) *time.Location {
	name := r.URL.Query().Get("tz")
	if name == "" {
		if c, err := r.Cookie("tz"); err == nil {
			name = strings.ReplaceAll(c.Value, "%2F", "/")
		}
	}
	// "Local" would be the server's zone, which is nobody's business here.
	if name == "" || name == "Local" || len(name) > 64 {
		return time.UTC
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return time.UTC
	}
	return zone
}

// dayOf reads a date in the reader's zone; the day after begins at the next midnight there, DST or not.
func dayOf(date string, zone *time.Location) (from, to time.Time, err error) {
	d, err := time.ParseInLocation(dateForm, date, zone)
	if err != nil || d.Year() < 1990 || d.Year() > 2200 {
		return from, to, footy.Errorf(footy.CodeInvalid, "read date", "Dates look like 2026-11-14.")
	}
	return d, time.Date(d.Year(), d.Month(), d.Day()+1, 0, 0, 0, 0, zone), nil
}

// fixtures reads fixtures through the cache, so that 500 readers who ask after one note cost one read.
func (s *Server) fixtures(ctx context.Context, q store.FixtureQuery, key string) ([]footy.Fixture, error) {
	return remember(ctx, s.cache, "list "+key, cacheFor, func(ctx context.Context) ([]footy.Fixture, error) {
		list, err := s.opt.Store.List(ctx, q)
		s.learn(list)
		return list, err
	})
}

func (s *Server) fixturesOfDay(ctx context.Context, from, to time.Time) ([]footy.Fixture, error) {
	return s.fixtures(ctx, store.FixtureQuery{From: from, To: to}, from.UTC().Format(time.RFC3339)+to.UTC().Format(time.RFC3339))
}

type dayPage struct {
	base
	Date, Previous, Next string
	Title2               string // "Saturday 14 November 2026"
	IsToday              bool
	Competitions         []competition
	Counts               dayCounts
	Lacks                string // why no match is followed, when none is for want of a setting
}

type competition struct {
	League   leagueView
	Round    string
	Live     int
	Fixtures []fixtureView
}

type dayCounts struct{ Fixtures, Live, Goals, WithClip, Clips int }

func (s *Server) handleToday(w http.ResponseWriter, r *http.Request) {
	s.day(w, r, s.now().In(zoneOf(r)).Format(dateForm))
}

func (s *Server) handleDay(w http.ResponseWriter, r *http.Request) { s.day(w, r, r.PathValue("date")) }

func (s *Server) day(w http.ResponseWriter, r *http.Request, date string) {
	zone := zoneOf(r)
	from, to, err := dayOf(date, zone)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	addVary(w.Header(), "Cookie")
	b := s.base(r, "")
	b.Admin, b.CSRF, b.Told, b.Origin = false, "", "", "" // this page is kept for everybody
	a, err := remember(r.Context(), s.cache, "day "+date+" "+zone.String()+" "+r.URL.Path, cacheFor, func(ctx context.Context) (*answer, error) {
		list, err := s.fixturesOfDay(ctx, from, to)
		if err != nil {
			return nil, err
		}
		p := newDayPage(list, from, zone)
		p.base = b
		p.IsToday = date == s.now().In(zone).Format(dateForm)
		if len(list) == 0 {
			p.Lacks = s.feedLacks(ctx)
		}
		p.Title = p.Title2
		if p.IsToday {
			p.Title = "Today"
		}
		return s.page(http.StatusOK, "day", p)
	})
	if err != nil {
		s.fail(w, r, err)
		return
	}
	a.send(w, r)
}

// feedLacks is what the feed wants before any match can appear; "" when it is set up.
func (s *Server) feedLacks(ctx context.Context) string {
	if s.opt.Health == nil {
		return ""
	}
	h, err := s.recentHealth(ctx)
	if err != nil {
		return ""
	}
	for _, c := range h.Parts {
		if c.Name == health.Feed && c.State == health.StateMissing {
			return c.Reason + ". " + c.Remedy
		}
	}
	return ""
}

func newDayPage(list []footy.Fixture, day time.Time, zone *time.Location) dayPage {
	p := dayPage{
		Date: day.Format(dateForm), Title2: day.Format("Monday 2 January 2006"),
		Previous: day.AddDate(0, 0, -1).Format(dateForm), Next: day.AddDate(0, 0, 1).Format(dateForm),
	}
	byLeague := map[int64]int{}
	for i := range list {
		v := viewFixture(&list[i], zone)
		p.Counts.add(v)
		at, ok := byLeague[v.League.ID]
		if !ok {
			at = len(p.Competitions)
			byLeague[v.League.ID] = at
			p.Competitions = append(p.Competitions, competition{League: v.League, Round: v.League.Round})
		}
		c := &p.Competitions[at]
		c.Fixtures = append(c.Fixtures, v)
		if v.Status.Phase == PhaseLive {
			c.Live++
		}
		if c.Round != v.League.Round {
			c.Round = "" // several rounds in one day: say none
		}
	}
	// A fixed order: a page that reorders itself while it is read is a nuisance.
	sort.SliceStable(p.Competitions, func(i, j int) bool {
		a, b := p.Competitions[i].League, p.Competitions[j].League
		if a.Country != b.Country {
			return a.Country < b.Country
		}
		return a.Name < b.Name
	})
	return p
}

func (c *dayCounts) add(v fixtureView) {
	c.Fixtures++
	if v.Status.Phase == PhaseLive {
		c.Live++
	}
	for _, e := range v.Events {
		c.Clips += len(e.Clips)
		if e.Kind != footy.KindGoal {
			continue
		}
		c.Goals++
		if len(e.Clips) > 0 {
			c.WithClip++
		}
	}
}

// handleFixtureParts renders single fixtures, for pages that are open.
func (s *Server) handleFixtureParts(w http.ResponseWriter, r *http.Request) {
	zone := zoneOf(r)
	ids, err := idList(r.URL.Query().Get("ids"))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	addVary(w.Header(), "Cookie")
	key := r.URL.Query().Get("ids") + " " + zone.String()
	a, err := remember(r.Context(), s.cache, "parts "+key, cacheFor, func(ctx context.Context) (*answer, error) {
		list, err := s.opt.Store.List(ctx, store.FixtureQuery{IDs: ids})
		if err != nil {
			return nil, err
		}
		views := make([]fixtureView, 0, len(list))
		for i := range list {
			views = append(views, viewFixture(&list[i], zone))
		}
		return s.page(http.StatusOK, "parts", views)
	})
	if err != nil {
		s.fail(w, r, err)
		return
	}
	a.send(w, r)
}
