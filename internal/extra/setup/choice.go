package setup

import (
	"context"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/feed/espn"
	"github.com/found-footy/found-footy/internal/connect/feed/follow"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/tell/web/pages"
)

// ticked is how many of the known leagues are ticked at first: the five big ones and the Champions League.
const ticked = 6

// clubsShown is how many clubs a search shows.
const clubsShown = 12

// lookTime bounds a look at the feed while a person waits.
const lookTime = 25 * time.Second

func leagueName(l espn.League) string { return l.Country + "/" + l.Name }

func firstLeagues() (out []string) {
	for _, l := range espn.Leagues()[:ticked] {
		out = append(out, leagueName(l))
	}
	return out
}

// leagueChoices are the known leagues, and others that are in force; each is called as it was there.
func leagueChoices(was, chosen string) (out []pages.SetupChoice) {
	on := strings.Split(chosen, ",")
	for _, l := range espn.Leagues() {
		out = append(out, pages.SetupChoice{Value: leagueName(l), Name: l.Name, Country: l.Country, On: slices.Contains(on, leagueName(l))})
	}
	for _, value := range strings.Split(was, ",") {
		if value == "" || strings.EqualFold(value, "none") {
			continue
		}
		called := espn.Named([]string{value})[0]
		i := slices.IndexFunc(out, func(c pages.SetupChoice) bool { return c.Country+"/"+c.Name == called })
		if i < 0 {
			i, out = len(out), append(out, pages.SetupChoice{Name: called})
		}
		out[i].Value, out[i].On = value, slices.Contains(on, value)
	}
	return out
}

// clubChoice is a club as settings name it: by its name, with its country where that is known. A name that a list would take apart is an id.
func clubChoice(t feed.Found) pages.SetupChoice {
	c := pages.SetupChoice{Value: t.Name, Name: t.Name, Country: t.Country, Team: footy.Team{ID: t.ID, Name: t.Name, Country: t.Country, Logo: t.Logo}}
	switch {
	case strings.Contains(t.Name, ","):
		c.Value = strconv.FormatInt(t.ID, 10)
	case t.Country != "" && !strings.Contains(t.Name, "/"):
		c.Value = t.Country + "/" + t.Name
	}
	return c
}

// clubNamed is a club as the settings name it.
func clubNamed(value string) pages.SetupChoice {
	country, name, ok := strings.Cut(value, "/")
	if !ok {
		country, name = "", value
	}
	c := pages.SetupChoice{Value: value, Name: name, Country: country, Team: footy.Team{Name: name}}
	if _, err := strconv.ParseInt(value, 10, 64); err == nil { // an id, which says nothing of the name
		c.Team.Name = ""
	}
	return c
}

func valuesOf(list []pages.SetupChoice) string {
	var out []string
	for _, c := range list {
		out = append(out, c.Value)
	}
	return strings.Join(out, ",")
}

// Choose implements pages.Setup. Only what the page offered can be chosen.
func (f *setUp) Choose(values url.Values) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for field, name := range map[string]string{"leagues": "TRACK_LEAGUES", "add": "TRACK_TEAMS", "drop": "TRACK_TEAMS"} {
		if f.fixed[name] != "" {
			values.Del(field)
		}
	}
	if values.Has("leagues") { // the form of leagues; ticks that are not set are not sent
		on := leagueChoices(f.was["TRACK_LEAGUES"], strings.Join(values["league"], ","))
		f.draft["TRACK_LEAGUES"] = valuesOf(slices.DeleteFunc(on, func(c pages.SetupChoice) bool { return !c.On }))
	}
	for _, add := range values["add"] {
		t, ok := f.seen[add]
		if !ok {
			return footy.Errorf(footy.CodeInvalid, "choose a club", "No club %q was found: search for it first.", add)
		}
		if !slices.ContainsFunc(f.clubs, func(c pages.SetupChoice) bool { return c.Value == add }) {
			f.clubs = append(f.clubs, clubChoice(t))
		}
	}
	f.clubs = slices.DeleteFunc(f.clubs, func(c pages.SetupChoice) bool { return slices.Contains(values["drop"], c.Value) })
	f.draft["TRACK_TEAMS"] = valuesOf(f.clubs)
	f.stopped, f.failed = nil, nil
	return nil
}

// look is the feed in question, and what is followed of it. f.asking is held.
func (f *setUp) lookAt(draft map[string]string) (port.Feed, *follow.Following, error) {
	c, err := f.config(draft)
	if err != nil {
		return port.Feed{}, nil, err
	}
	if f.feed.Feed == nil || f.of != c.Feed {
		f.of, f.feed, f.day = c.Feed, f.Trial.Feed(c, f.names), nil
	}
	return f.feed, f.feed.Follow(c.Track), nil
}

// Clubs implements pages.Setup.
func (f *setUp) Clubs(ctx context.Context, name string) ([]pages.SetupChoice, error) {
	f.asking.Lock()
	defer f.asking.Unlock()
	f.mu.Lock()
	draft := maps.Clone(f.draft)
	f.mu.Unlock()
	if draft["TRACK_LEAGUES"]+draft["TRACK_TEAMS"] == "" { // with no league ticked a club is about to be the only choice
		draft["TRACK_LEAGUES"] = strings.Join(firstLeagues(), ",")
	}
	a, _, err := f.lookAt(draft)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	teams, err := a.Find(ctx, feed.Team, name)
	if begin := lifecycle.Cut(name); err == nil && len(teams) == 0 && begin != "" { // Newcastle United, where the feed writes Newcastle
		teams, err = a.Find(ctx, feed.Team, begin)
		teams = slices.DeleteFunc(teams, func(t feed.Found) bool { return !lifecycle.Begins(begin, t.Name) })
	}
	if errors.Is(err, feed.ErrShortName) {
		return nil, footy.Errorf(footy.CodeInvalid, "find clubs", "%q is too short: write three letters or more.", name)
	}
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []pages.SetupChoice
	for _, t := range teams[:min(len(teams), clubsShown)] {
		c := clubChoice(t)
		f.seen[c.Value] = t
		f.Logos.Learn("team", t.ID, t.Logo)
		out = append(out, c)
	}
	return out, nil
}

// matchDay is a day's list.
type matchDay struct {
	at   time.Time
	list []footy.Snapshot
}

// failedLook is one that cost calls of a plan, and what it was made with: the page shows it without asking again.
type failedLook struct {
	draft map[string]string
	said  []health.Part
}

// counted reports that each look at the feed costs calls of a plan.
func (f *setUp) counted() bool { return f.of.InCharge() == config.APIFootball }

// dayKept is how long a list holds that costs a call of the plan; ESPN's feed paces itself.
const dayKept = 10 * time.Minute

// Today implements pages.Setup.
func (f *setUp) Today(ctx context.Context) ([]footy.Snapshot, []health.Part) {
	reddit := make(chan []health.Part, 1)
	go func() { reddit <- f.publicList(ctx) }()
	f.mu.Lock()
	draft := maps.Clone(f.draft)
	f.mu.Unlock()
	list, said := f.matches(ctx, draft)
	also := <-reddit
	if slices.ContainsFunc(said, health.Part.Offline) { // Reddit is not to blame
		also = nil
	}
	return list, append(said, also...)
}

// matches are today's of what a draft chooses; the parts say why there are none to be had.
func (f *setUp) matches(ctx context.Context, draft map[string]string) ([]footy.Snapshot, []health.Part) {
	f.asking.Lock()
	defer f.asking.Unlock()
	f.mu.Lock()
	failed := f.failed
	f.mu.Unlock()
	if failed != nil && maps.Equal(failed.draft, draft) {
		return nil, failed.said
	}
	a, chosen, err := f.lookAt(draft)
	if problems := problemsOf(err); len(problems) > 0 {
		return nil, []health.Part{{Name: "matches", State: health.StateDown, Reason: "nothing is chosen", Remedy: "Tick a league, or add a club."}}
	}
	var list, out []footy.Snapshot
	var followed lifecycle.Follow
	if err == nil {
		ctx, cancel := context.WithTimeout(ctx, lookTime)
		defer cancel()
		if followed, err = chosen.Follow(ctx); err == nil {
			list, err = f.list(ctx, a)
		}
	}
	if err != nil {
		said := health.Part{Name: "matches", State: health.StateDown, Reason: plain(footy.RootCause(err)),
			Remedy: plain(check.FeedRemedy(err, f.of))}
		if f.counted() && ctx.Err() == nil { // that the page was left says nothing
			said.Remedy += " The feed is asked again when you check the key, start, or change what is chosen."
			f.mu.Lock()
			f.failed = &failedLook{draft, []health.Part{said}}
			f.mu.Unlock()
		}
		return nil, []health.Part{said}
	}
	for _, s := range list {
		if lifecycle.Tracked(s, followed) {
			out = append(out, s)
			f.Logos.Learn("team", s.Teams.Home.ID, s.Teams.Home.Logo)
			f.Logos.Learn("team", s.Teams.Away.ID, s.Teams.Away.Logo)
		}
	}
	slices.SortStableFunc(out, func(a, b footy.Snapshot) int { return a.Match.Kickoff.Compare(b.Match.Kickoff) })
	return out, nil
}

func (f *setUp) list(ctx context.Context, a port.Feed) ([]footy.Snapshot, error) {
	now := time.Now().UTC()
	if f.counted() && f.day != nil && now.Sub(f.day.at) < dayKept {
		return f.day.list, nil
	}
	list, err := a.Day(ctx, now)
	if err != nil {
		return nil, err
	}
	if f.counted() {
		f.day = &matchDay{now, list}
		return list, nil
	}
	before, err := a.Day(ctx, now.AddDate(0, 0, -1))
	for _, s := range before {
		if s.Match.Status.InPlay() {
			list = append(list, s)
		}
	}
	return list, err
}

// publicList says whether Reddit's public list answers this machine, where nothing else is entered for Reddit. It is asked once.
func (f *setUp) publicList(ctx context.Context) []health.Part {
	f.mu.Lock()
	draft := maps.Clone(f.draft)
	own := draft["REDDIT_FEED"] != "" || f.Config.Reddit.ClientID != ""
	f.mu.Unlock()
	if own {
		return nil
	}
	f.askingReddit.Lock()
	defer f.askingReddit.Unlock()
	if f.public == nil {
		draft["TRACK_LEAGUES"] = strings.Join(firstLeagues(), ",")
		c, err := f.config(draft)
		if err != nil {
			return problemsOf(err)
		}
		reddit, _ := stepNamed(stepReddit)
		said := f.doctor(ctx, reddit, c)
		if ctx.Err() != nil || slices.ContainsFunc(said, health.Part.Offline) { // the page was left, or nothing is reached: that says nothing
			return nil
		}
		f.public = []health.Part{}
		for _, p := range said {
			if p.State != health.StateOK {
				p.Name, p.Reason, p.Remedy, p.State = "Reddit's public list", plain(p.Reason), "Paste an address of your own above.", health.StateMissing
				f.public = append(f.public, p)
			}
		}
	}
	return f.public
}
