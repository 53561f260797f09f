package pages

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/tell/explain/story"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
	"github.com/found-footy/found-footy/internal/tell/web/pages/frame"
	"github.com/found-footy/found-footy/internal/tell/words"
)

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
