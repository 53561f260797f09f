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

// dayHead is what pages about one day begin with.
type dayHead struct {
	frame.Base
	What       string // the page: Goals, Matches
	Root, Date string // the address of the same page of another day is Root + date
	Day        time.Time
	IsToday    bool
	Leagues    []view.League // that play, in the order of the page
	Days       []dayLink     // those with matches before and after, and this one
	Next       *dayLink      // the next one with matches, where this one has none
	Missing    string        // why the feed may have matches that are not here
}

// dayLink leads to a day.
type dayLink struct {
	view.Day
	At         time.Time
	Here, Near bool // Near: shown where there is little room
}

// Of implements frame's page with places.
func (p dayHead) Of() frame.Of { return frame.Of{Zone: p.Zone, Date: p.Date} }

// OfLeague is what the part of a competition is about.
func (p dayHead) OfLeague(id int64) frame.Of {
	return frame.Of{Zone: p.Zone, Date: p.Date, League: id}
}

// head looks up what dayHead says.
func (s *Server) head(ctx context.Context, b frame.Base, what, root string, list []view.Fixture, day time.Time) dayHead {
	p := dayHead{Base: b, What: what, Root: root, Date: day.Format(lookup.DateForm), Day: day}
	p.IsToday = p.Date == s.Now().In(day.Location()).Format(lookup.DateForm)
	var counts view.Counts
	for _, v := range list {
		counts.Add(v)
	}
	p.Leagues = leaguesOf(list)
	days, err := s.Reader.Days(ctx, day.Location())
	if err != nil {
		s.Log.WarnContext(ctx, "cannot list the days", "action", "render", "error", err)
	}
	link := func(d view.Day) dayLink {
		at, _ := time.ParseInLocation(lookup.DateForm, d.Date, day.Location())
		return dayLink{Day: d, At: at, Here: d.Date == p.Date, Near: true}
	}
	at, found := slices.BinarySearchFunc(days, p.Date, func(d view.Day, date string) int { return cmp.Compare(d.Date, date) })
	if !found {
		days = slices.Insert(slices.Clone(days), at, view.Day{Date: p.Date})
	}
	for i := max(at-2, 0); i < min(at+4, len(days)); i++ {
		l := link(days[i])
		if l.Here {
			l.Counts = counts // as of now
		}
		l.Near = i >= at-1 && i <= at+1
		p.Days = append(p.Days, l)
	}
	if len(list) == 0 {
		p.Missing = s.missing(ctx, p.IsToday)
		if at+1 < len(days) {
			next := link(days[at+1])
			p.Next = &next
		}
	}
	p.Title = what
	return p
}

type dayPage struct {
	dayHead
	Parts []dayPart
}

// dayPart is a part of the list of matches: what is live, a competition, what is put off.
type dayPart struct {
	ID, Name string
	League   *view.League // nil for what is of several
	Round    string
	Fixtures []view.Fixture
}

// Day lists the matches of a day with their goals and clips, by default of the reader's date.
func (s *Server) Day(w http.ResponseWriter, r *http.Request) error {
	own, key := map[string]bool{}, ""
	if chosen := favourites(r); len(chosen) > 0 { // readers who have the same ones that day get the same page
		_, from, to, err := s.dayOf(r)
		if err != nil {
			return err
		}
		list, err := s.Reader.FixturesBetween(r.Context(), from, to)
		if err != nil {
			return err
		}
		for _, f := range chosen.Of(list...) {
			own[f.ID] = true
			key += f.ID + ","
		}
	}
	return s.ofDay(w, r, "day", key, func(ctx context.Context, list []footy.Fixture, day time.Time, b frame.Base) any {
		fixtures := view.FixturesOf(list, day.Location())
		p := dayPage{dayHead: s.head(ctx, b, "Matches", "/day/", fixtures, day)}
		if !p.IsToday {
			for i := range fixtures {
				fixtures[i].Cancelled = nil
			}
		}
		p.Parts = partsOf(fixtures, own)
		return p
	})
}

// favourites are the reader's; prefs.js sends them in a cookie.
func favourites(r *http.Request) lookup.Favourites {
	if c, err := r.Cookie("favourites"); err == nil && c.Value != "" {
		return strings.Split(c.Value, ",")
	}
	return nil
}

// dayOf is the reader's zone, and the day of the path in it, else today.
func (s *Server) dayOf(r *http.Request) (zone *time.Location, from, to time.Time, err error) {
	zone = lookup.Zone(r)
	from, to, err = lookup.ParseDay(cmp.Or(r.PathValue("date"), s.Now().In(zone).Format(lookup.DateForm)), zone)
	return lookup.SameOffset(zone, from, to), from, to, err
}

// ofDay sends a page about the matches of a day, which is the same for all readers of a zone: of the date in the path, else of the reader's.
func (s *Server) ofDay(w http.ResponseWriter, r *http.Request, name, variant string, page func(ctx context.Context, list []footy.Fixture, day time.Time, b frame.Base) any) error {
	zone, from, to, err := s.dayOf(r)
	if err != nil {
		return err
	}
	b := s.Frame.SharedBase(r, "", zone)
	key := name + variant + " " + from.Format(lookup.DateForm) + " " + zone.String() + " " + r.URL.Path
	return s.Reader.SendList(w, r, key, from, to, func(ctx context.Context, l *words.Language, list []footy.Fixture) (*answer.Answer, error) {
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

// partsOf puts matches into the order that people know: the reader's own, what is live, their competitions, UEFA's, the five large leagues, the
// rest; what is put off comes last.
func partsOf(fixtures []view.Fixture, own map[string]bool) (parts []dayPart) {
	mine := func(v view.Fixture) bool { return own[fmt.Sprint(v.Home.ID)] || own[fmt.Sprint(v.Away.ID)] }
	theirs := map[int64]bool{}
	for _, v := range fixtures {
		theirs[v.League.ID] = theirs[v.League.ID] || mine(v) || own[fmt.Sprint("l", v.League.ID)]
	}
	slices.SortStableFunc(fixtures, func(a, b view.Fixture) int {
		return cmp.Or(cmp.Compare(standing(a.League, theirs), standing(b.League, theirs)), byCountry(a.League, b.League), cmp.Compare(bare(a), bare(b)))
	})
	first := dayPart{ID: "mine", Name: "My teams"}
	live, off := dayPart{ID: "live", Name: "Live"}, dayPart{ID: "off", Name: "Postponed"}
	for _, v := range fixtures {
		switch {
		case mine(v):
			first.Fixtures = append(first.Fixtures, v)
		case v.Status.Phase == view.PhaseLive:
			live.Fixtures = append(live.Fixtures, v)
		case v.Status.Phase == view.PhaseOff:
			off.Fixtures = append(off.Fixtures, v)
		default:
			id := strconv.FormatInt(v.League.ID, 10)
			if len(parts) == 0 || parts[len(parts)-1].ID != id {
				parts = append(parts, dayPart{ID: id, Name: v.League.Name, League: &v.League, Round: v.League.Round})
			}
			p := &parts[len(parts)-1]
			p.Fixtures = append(p.Fixtures, v)
			if p.Round != v.League.Round {
				p.Round = "" // several rounds in one day: show none
			}
		}
	}
	parts = append(append([]dayPart{first, live}, parts...), off)
	return slices.DeleteFunc(parts, func(p dayPart) bool { return len(p.Fixtures) == 0 })
}

// bare is 1 of a match that has no clips to show: those come behind, so that rows are of one kind.
func bare(v view.Fixture) int {
	if len(v.Events)+len(v.Cancelled) > 0 {
		return 0
	}
	return 1
}

// standing is a competition's place in the order that people know, theirs first.
func standing(l view.League, theirs map[int64]bool) int {
	if theirs[l.ID] {
		return -1
	}
	if strings.HasPrefix(l.Name, "UEFA ") {
		return 0
	}
	if at := slices.Index([]string{"England Premier League", "Spain La Liga", "Italy Serie A", "Germany Bundesliga", "France Ligue 1"}, l.Country+" "+l.Name); at >= 0 {
		return at + 1
	}
	return 9
}

func byCountry(a, b view.League) int {
	return cmp.Or(cmp.Compare(a.Country, b.Country), cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
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
	Items         []view.Event // newest first
	Leagues       []view.League
}

// Of implements frame's page with places.
func (p watchPage) Of() frame.Of { return frame.Of{Zone: p.Zone, Date: p.Date} }

// Watch is the programme of a day, by default of the reader's date.
func (s *Server) Watch(w http.ResponseWriter, r *http.Request) error {
	return s.ofDay(w, r, "watch", "", func(_ context.Context, list []footy.Fixture, day time.Time, b frame.Base) any {
		fixtures := view.FixturesOf(list, day.Location())
		p := watchPage{Base: b, Date: day.Format(lookup.DateForm), Heading: b.Language.Time(day, "Mon 2 Jan"), Items: goalsOf(fixtures), Leagues: leaguesOf(fixtures)}
		p.Title, p.Description = "Watch", "The best clip of every goal of the day, one after the other."
		return p
	})
}

// leaguesOf are those of matches, by country.
func leaguesOf(fixtures []view.Fixture) (out []view.League) {
	for _, f := range fixtures {
		out = append(out, f.League)
	}
	slices.SortStableFunc(out, byCountry)
	return slices.CompactFunc(out, func(a, b view.League) bool { return a.ID == b.ID })
}
