package pages

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
	"github.com/found-footy/found-footy/internal/tell/web/pages/frame"
	"github.com/found-footy/found-footy/internal/tell/words"
)

type dayPage struct {
	frame.Base
	Date, Previous, Next string
	Heading              string // "Saturday 14 November 2026"
	IsToday              bool
	Competitions         []competition
	Counts               view.Counts
	Missing              string // why the feed may have matches that are not here
}

// Of implements frame's page with places.
func (p dayPage) Of() frame.Of { return frame.Of{Zone: p.Zone, Date: p.Date} }

// OfLeague is what the part of a competition is about.
func (p dayPage) OfLeague(id int64) frame.Of { return frame.Of{Zone: p.Zone, Date: p.Date, League: id} }

type competition struct {
	League   view.League
	Round    string
	Live     int
	Fixtures []view.Fixture
}

// Day lists the matches of a day with their goals and clips, by default of the reader's date.
func (s *Server) Day(w http.ResponseWriter, r *http.Request) error {
	if r.URL.Path == "/" && s.Setup != nil && s.Setup.Open() {
		http.Redirect(w, r, "/setup", http.StatusSeeOther)
		return nil
	}
	return s.ofDay(w, r, "day", func(ctx context.Context, list []footy.Fixture, day time.Time, b frame.Base) any {
		p := newDayPage(list, day)
		p.Base = b
		p.IsToday = p.Date == s.Now().In(day.Location()).Format(lookup.DateForm)
		if len(list) == 0 {
			p.Missing = s.missing(ctx, p.IsToday)
		}
		p.Title = p.Heading
		if p.IsToday {
			p.Title = "Today"
		}
		return p
	})
}

// ofDay sends a page about the matches of a day, which is the same for all readers of a zone: of the date in the path, else of the reader's.
func (s *Server) ofDay(w http.ResponseWriter, r *http.Request, name string, page func(ctx context.Context, list []footy.Fixture, day time.Time, b frame.Base) any) error {
	zone := lookup.Zone(r)
	date := cmp.Or(r.PathValue("date"), s.Now().In(zone).Format(lookup.DateForm))
	from, to, err := lookup.ParseDay(date, zone)
	if err != nil {
		return err
	}
	zone = lookup.SameOffset(zone, from, to)
	b := s.Frame.SharedBase(r, "", zone)
	return s.Reader.SendPage(w, r, name+" "+date+" "+zone.String()+" "+r.URL.Path, func(ctx context.Context, l *words.Language) (*answer.Answer, error) {
		list, err := s.Reader.FixturesBetween(ctx, from, to)
		if err != nil {
			return nil, err
		}
		b.Picture = view.PictureOf(list)
		return s.pages.Answer(l, http.StatusOK, name, page(ctx, list, from.In(zone), b))
	})
}

// missing says why a day without a match may have one: the feed is not set up, or gives no list of today; "" if neither.
func (s *Server) missing(ctx context.Context, today bool) string {
	if s.Reader.Health == nil {
		return ""
	}
	h, err := s.Reader.RecentHealth(ctx)
	if err != nil {
		return ""
	}
	for _, c := range h.Parts {
		if c.Name == health.Feed && (c.State == health.StateMissing || today && c.State == health.StateDown) {
			if c.Offline() {
				return c.Sentence()
			}
			return c.Subject() + " is " + c.Word() + "." // why is the operator's
		}
	}
	return ""
}

func newDayPage(list []footy.Fixture, day time.Time) dayPage {
	p := dayPage{
		Date: day.Format(lookup.DateForm), Heading: day.Format("Monday 2 January 2006"),
		Previous: day.AddDate(0, 0, -1).Format(lookup.DateForm), Next: day.AddDate(0, 0, 1).Format(lookup.DateForm),
	}
	byLeague := map[int64]int{}
	for i := range list {
		v := view.FixtureOf(&list[i], day.Location())
		p.Counts.Add(v)
		at, ok := byLeague[v.League.ID]
		if !ok {
			at = len(p.Competitions)
			byLeague[v.League.ID] = at
			p.Competitions = append(p.Competitions, competition{League: v.League, Round: v.League.Round})
		}
		c := &p.Competitions[at]
		c.Fixtures = append(c.Fixtures, v)
		if v.Status.Phase == view.PhaseLive {
			c.Live++
		}
		if c.Round != v.League.Round {
			c.Round = "" // several rounds in one day: show none
		}
	}
	// A fixed order: a page that reorders itself while it is read is a nuisance.
	slices.SortStableFunc(p.Competitions, func(a, b competition) int { return byCountry(a.League, b.League) })
	return p
}

func byCountry(a, b view.League) int {
	return cmp.Or(cmp.Compare(a.Country, b.Country), cmp.Compare(a.Name, b.Name))
}

// FixtureParts renders single matches, for pages that are open.
func (s *Server) FixtureParts(w http.ResponseWriter, r *http.Request) error {
	ids, err := idList(r.URL.Query().Get("ids"))
	if err != nil {
		return err
	}
	list, err := s.Reader.ByIDs(r.Context(), ids)
	if err != nil {
		return err
	}
	zone := lookup.ZoneOf(lookup.Zone(r), list)
	return s.Reader.SendPage(w, r, fmt.Sprint("parts ", ids, zone), func(_ context.Context, l *words.Language) (*answer.Answer, error) {
		return s.pages.Answer(l, http.StatusOK, "parts", view.FixturesOf(list, zone))
	})
}

// idList reads "1,2,3", at most 100 of them. It returns them sorted, each once.
func idList(raw string) ([]int64, error) {
	var out []int64
	for part := range strings.SplitSeq(raw, ",") {
		id, err := strconv.ParseInt(strings.TrimSpace(part), 10, 64)
		if err != nil || len(out) >= 100 {
			return nil, footy.Errorf(footy.CodeInvalid, "read ids", "ids is a list of up to 100 numbers")
		}
		out = append(out, id)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

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

// Watch is the programme of a day, by default of the reader's date.
func (s *Server) Watch(w http.ResponseWriter, r *http.Request) error {
	return s.ofDay(w, r, "watch", func(_ context.Context, list []footy.Fixture, day time.Time, b frame.Base) any {
		p := newWatchPage(list, day.Location())
		p.Base, p.Date, p.Heading = b, day.Format(lookup.DateForm), day.Format("Monday 2 January 2006")
		p.Title, p.Description = "Watch", "The best clip of every goal of the day, one after the other."
		return p
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
	slices.SortFunc(p.Leagues, byCountry)
	slices.SortFunc(p.Teams, func(a, b view.Team) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortStableFunc(p.Items, func(a, b watchItem) int {
		return cmp.Or(b.ScoredAt.Compare(a.ScoredAt), cmp.Compare(b.GoalNumber, a.GoalNumber), cmp.Compare(b.UID, a.UID))
	})
	return p
}
