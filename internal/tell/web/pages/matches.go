package pages

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/tell/explain/story"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
	"github.com/found-footy/found-footy/internal/tell/web/pages/frame"
	"github.com/found-footy/found-footy/internal/tell/words"
)

// matchesPage is that of a team or a competition.
type matchesPage struct {
	frame.Base
	Kind, Name, Logo string // Kind: team or league, as in addresses
	ID               int64
	Country          string
	Favourite        string // by which the browser remembers who follows it
	Ahead, Past      []view.Fixture
	Counts           view.Counts // of Past
	Earlier          string
	Later            bool // a page after the first
}

// OfDay is what the line above a match is about: the page's team or competition, on the day of the match.
func (p matchesPage) OfDay(v view.Fixture) frame.Of {
	of := frame.Of{Zone: p.Zone, Date: view.InZone(p.Zone, v.Kickoff).Format(lookup.DateForm), Match: &v, League: p.ID}
	if p.Kind == "team" {
		of.Team, of.League = p.ID, 0
	}
	return of
}

// Matches is the page of a team or a competition.
func (s *Server) Matches(w http.ResponseWriter, r *http.Request) error {
	kind, _, _ := strings.Cut(r.URL.Path[1:], "/")
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil || id <= 0 {
		return footy.Errorf(footy.CodeNotFound, "read "+kind, "There is no such page.")
	}
	after, err := lookup.ParseCursor(r.URL.Query().Get("cursor"))
	if err != nil {
		return err
	}
	zone := s.Reader.ZoneOfKept(lookup.Zone(r))
	b := s.Frame.SharedBase(r, "", zone)
	b.Path = "/" + kind + "/" + strconv.FormatInt(id, 10)
	return s.Reader.SendPage(w, r, fmt.Sprint(kind, id, " ", after, zone), func(ctx context.Context, l *words.Language) (*answer.Answer, error) {
		of := map[string]int64{kind: id}
		m, err := s.Reader.MatchesOf(ctx, of["team"], of["league"], after)
		if err != nil {
			return nil, err
		}
		p := matchesPage{Base: b, Kind: kind, ID: id, Earlier: m.Earlier, Later: after.ID != 0, Favourite: strconv.FormatInt(id, 10),
			Ahead: view.FixturesOf(m.Ahead, zone), Past: view.FixturesOf(m.Past, zone)}
		if v := view.TeamOf(m.Team); kind == "team" {
			p.Name, p.Logo, p.Country = v.Name, v.Logo, v.Country
		}
		if v := view.LeagueOf(m.League); kind == "league" {
			p.Name, p.Logo, p.Country, p.Favourite = v.Name, v.Logo, v.Country, "l"+p.Favourite
		}
		p.Title, p.Description = p.Name, l.T("Goals of %s with their best clips, last and next matches.", p.Name)
		p.Picture = view.PictureOf(m.Past)
		for _, f := range p.Past {
			p.Counts.Add(f)
		}
		return s.pages.Answer(l, http.StatusOK, "matches", p)
	})
}

type searchPage struct {
	frame.Base
	Query    string
	Fixtures []view.Fixture
	More     string // where the next page begins
	TooLong  bool
	NoWord   bool // only punctuation: there is nothing to search for
}

// Search lists the matches whose teams, competition or scorers have a word.
func (s *Server) Search(w http.ResponseWriter, r *http.Request) error {
	p := searchPage{Base: s.Frame.Base(r, "Search"), Query: strings.TrimSpace(r.URL.Query().Get("q"))}
	p.TooLong = len(p.Query) > 200
	p.NoWord = p.Query != "" && !p.TooLong && !lookup.Searchable(p.Query)
	if p.Query != "" && lookup.Searchable(p.Query) {
		after, err := lookup.ParseCursor(r.URL.Query().Get("cursor"))
		if err != nil {
			return err
		}
		found, next, err := s.Reader.Search(r.Context(), p.Query, lookup.Zone(r), after, lookup.PageSize)
		if err != nil {
			return err
		}
		p.Fixtures, p.More = found, next
		p.Title = p.Language.T("%s · Search", p.Query)
	}
	return s.pages.Send(w, r, http.StatusOK, "search", p)
}

type matchPage struct {
	frame.Base
	Fixture view.Fixture
	Date    string // of its kickoff, for the reader
	Clips   int    // goals that have one
	Life    []story.Line
}

// Match is the page of one match: its score and the clips of its goals.
func (s *Server) Match(w http.ResponseWriter, r *http.Request) error {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		return footy.Errorf(footy.CodeNotFound, "read match", "There is no such page.")
	}
	list, err := s.Reader.ByIDs(r.Context(), []int64{id})
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return footy.Errorf(footy.CodeNotFound, "read match", "There is no match with this address. Matches are deleted after a while.")
	}
	zone := lookup.ZoneOf(lookup.Zone(r), list)
	b := s.Frame.SharedBase(r, "", zone)
	b.Path, b.Picture = view.MatchPath(id), view.PictureOf(list)
	return s.Reader.SendPage(w, r, fmt.Sprint("match ", id, " ", zone), func(ctx context.Context, l *words.Language) (*answer.Answer, error) {
		rows, err := s.Reader.Store.Entries(ctx, store.LogQuery{FixtureID: id, Kinds: []footy.EntryKind{footy.EntryActivated, footy.EntryRescheduled, footy.EntryPollFailed,
			footy.EntryDistrusted, footy.EntryTrusted, footy.EntryOver, footy.EntryCompleted}})
		if err != nil {
			return nil, err
		}
		p := matchPage{Base: b, Fixture: view.FixtureOf(&list[0], zone), Life: story.Match(rows)}
		p.Date = p.Fixture.Kickoff.In(zone).Format(lookup.DateForm)
		p.Title = p.Fixture.Home.Name + " v " + p.Fixture.Away.Name
		p.Description = "Its goals with their best clips, as they come."
		for _, e := range p.Fixture.Events {
			if len(e.Clips) > 0 && e.Kind.Scores() {
				p.Clips++
			}
		}
		return s.pages.Answer(l, http.StatusOK, "match", p)
	})
}

// Of implements frame's page with places.
func (p matchPage) Of() frame.Of { return frame.Of{Zone: p.Zone, Date: p.Date, Match: &p.Fixture} }
