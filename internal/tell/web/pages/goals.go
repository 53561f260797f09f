package pages

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
	"github.com/found-footy/found-footy/internal/tell/web/pages/frame"
)

// goalsPage is the first page: the newest goals of a day, each with its clips.
type goalsPage struct {
	dayHead
	Goals   []view.Event
	More    string      // where the earlier ones are
	Strip   *view.Event // the newest goal, while it has no clip
	Matches []view.Fixture
	Last    *dayLink // of a day without matches: the last one with goals, which are shown
}

// perPage bounds what a phone has to draw; stripped is how long a goal without a clip stands above the others.
const (
	perPage  = 30
	stripped = 30 * time.Minute
)

// Goals is the page of the newest goals, by default of the reader's date.
func (s *Server) Goals(w http.ResponseWriter, r *http.Request) error {
	if r.URL.Path == "/" && s.Setup != nil && s.Setup.Open() {
		http.Redirect(w, r, "/setup", http.StatusSeeOther)
		return nil
	}
	all := r.URL.Query().Has("all")
	return s.ofDay(w, r, "goals", strconv.FormatBool(all), func(ctx context.Context, list []footy.Fixture, day time.Time, b frame.Base) any {
		fixtures := view.FixturesOf(list, day.Location())
		p := goalsPage{dayHead: s.head(ctx, b, "Goals", "/goals/", fixtures, day), Matches: fixtures}
		p.Goals = goalsOf(fixtures)
		if p.IsToday {
			p.Strip = s.stripOf(fixtures)
		}
		if len(fixtures) == 0 {
			p.Last, p.Goals = s.lastGoals(ctx, day)
		}
		if len(p.Goals) > perPage && !all {
			p.Goals, p.More = p.Goals[:perPage], "/goals/"+p.Date+"?all"
		}
		return p
	})
}

// goalsOf lists what has a clip, newest first.
func goalsOf(fixtures []view.Fixture) (out []view.Event) {
	for _, f := range fixtures {
		for _, e := range f.Events {
			if len(e.Clips) > 0 {
				out = append(out, e)
			}
		}
	}
	slices.SortStableFunc(out, latest)
	return out
}

// latest orders goals by when they fell, the newest first.
func latest(a, b view.Event) int {
	return cmp.Or(b.ScoredAt.Compare(a.ScoredAt), cmp.Compare(b.ScoreAfter.Total(), a.ScoreAfter.Total()), cmp.Compare(b.UID, a.UID))
}

// stripOf is the newest goal, if it fell just now and has no clip.
func (s *Server) stripOf(fixtures []view.Fixture) *view.Event {
	var all []view.Event
	for _, f := range fixtures {
		for _, e := range f.Events {
			if e.Kind == footy.KindGoal && s.Now().Sub(e.FirstSeen) < stripped {
				all = append(all, e)
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	if e := slices.MinFunc(all, latest); len(e.Clips) == 0 {
		return &e
	}
	return nil
}

// lastGoals are those of the last day before that had some with a clip.
func (s *Server) lastGoals(ctx context.Context, day time.Time) (*dayLink, []view.Event) {
	days, err := s.Reader.Days(ctx, day.Location())
	for i := len(days) - 1; i >= 0 && err == nil; i-- {
		if days[i].Date >= day.Format(lookup.DateForm) || days[i].WithClip == 0 {
			continue
		}
		from, to, _ := lookup.ParseDay(days[i].Date, day.Location())
		var list []footy.Fixture
		if list, err = s.Reader.FixturesBetween(ctx, from, to); err == nil {
			return &dayLink{Day: days[i], At: from}, goalsOf(view.FixturesOf(list, day.Location()))
		}
	}
	if err != nil {
		s.Log.WarnContext(ctx, "cannot look for the last goals", "action", "render", "error", err)
	}
	return nil, nil
}

// Settings is what a reader chooses.
func (s *Server) Settings(w http.ResponseWriter, r *http.Request) error {
	list, err := s.Reader.KeptFixtures(r.Context())
	if err != nil {
		return err
	}
	return s.pages.Send(w, r, http.StatusOK, "settings", struct {
		frame.Base
		Mine []lookup.Favourite
	}{s.Frame.Base(r, "Settings"), favourites(r).Of(list...)})
}
