package pages

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
	"github.com/found-footy/found-footy/internal/tell/web/pages/frame"
)

// watchPage plays the clips of a day as one programme. The browser chooses from it and puts it in order.
type watchPage struct {
	frame.Base
	Date, Heading string
	Items         []watchItem // newest first
	Leagues       []view.League
	Teams         []view.Team
}

// watchItem is a goal with its best clip.
type watchItem struct {
	view.Event
	Clip       view.Clip
	HomeID     int64
	AwayID     int64
	GoalNumber int // of its match; 0 for what is no goal
}

// WatchToday is the programme of the reader's date.
func (s *Server) WatchToday(w http.ResponseWriter, r *http.Request) error {
	return s.watch(w, r, s.Now().In(lookup.Zone(r)).Format(lookup.DateForm))
}

// Watch is the programme of a day.
func (s *Server) Watch(w http.ResponseWriter, r *http.Request) error {
	return s.watch(w, r, r.PathValue("date"))
}

func (s *Server) watch(w http.ResponseWriter, r *http.Request, date string) error {
	zone := lookup.Zone(r)
	from, to, err := lookup.ParseDay(date, zone)
	if err != nil {
		return err
	}
	zone = lookup.SameOffset(zone, from, to)
	b := s.Frame.SharedBase(r, "Watch", zone)
	return s.Reader.SendCached(w, r, "watch "+date+" "+zone.String()+" "+r.URL.Path, func(ctx context.Context) (*answer.Answer, error) {
		list, err := s.Reader.FixturesBetween(ctx, from, to)
		if err != nil {
			return nil, err
		}
		p := newWatchPage(list, zone)
		p.Base, p.Date, p.Heading = b, date, from.Format("Monday 2 January 2006")
		p.Description = "The best clip of every goal of the day, one after the other."
		return s.pages.Answer(http.StatusOK, "watch", p)
	})
}

func newWatchPage(list []footy.Fixture, zone *time.Location) watchPage {
	var p watchPage
	leagues, teams := map[int64]bool{}, map[int64]bool{}
	for i := range list {
		f := view.FixtureOf(&list[i], zone)
		if !leagues[f.League.ID] {
			leagues[f.League.ID], p.Leagues = true, append(p.Leagues, f.League)
		}
		for _, t := range []view.Team{f.Home, f.Away} {
			if !teams[t.ID] {
				teams[t.ID], p.Teams = true, append(p.Teams, t)
			}
		}
		for _, e := range f.Events {
			if len(e.Clips) == 0 {
				continue
			}
			item := watchItem{Event: e, Clip: e.Clips[0], HomeID: f.Home.ID, AwayID: f.Away.ID}
			if e.Kind.Scores() {
				item.GoalNumber = e.ScoreAfter.Total()
			}
			p.Items = append(p.Items, item)
		}
	}
	slices.SortFunc(p.Leagues, func(a, b view.League) int {
		return cmp.Or(cmp.Compare(a.Country, b.Country), cmp.Compare(a.Name, b.Name))
	})
	slices.SortFunc(p.Teams, func(a, b view.Team) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortStableFunc(p.Items, func(a, b watchItem) int {
		return cmp.Or(b.ScoredAt.Compare(a.ScoredAt), cmp.Compare(b.GoalNumber, a.GoalNumber), cmp.Compare(b.UID, a.UID))
	})
	return p
}
