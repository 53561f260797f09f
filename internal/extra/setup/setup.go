// Package setup is the page that asks for settings, on a first run and later: what to follow, and the keys and addresses of what brings more.
// It tries each thing at once, and writes what was entered to the settings' file.
package setup

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/run/xaccount"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/tell/web/pages"
	"github.com/found-footy/found-footy/internal/tell/web/session"
)

// Extra is what the set-up page adds.
func Extra() port.Extra {
	return port.Extra{Name: "setup", SetUp: func() port.SetUp { return &setUp{door: session.NewDoor(), names: map[string]json.RawMessage{}} }}
}

// Wanted implements port.SetUp: nothing that a live run needs is set. Where a service is asked is no choice of it.
func (f *setUp) Wanted(c config.Config) bool {
	embedded := c.State.Embedded() && c.S3.Endpoint == "" && c.Engine.Address == ""
	return embedded && !c.Track.Chosen() && c.Feed.Key == "" && c.Feed.Name == "" && c.Model.URL == "" && c.Search.BearerToken == "" && c.Search.ServiceURL == "" &&
		c.Reddit.ClientID == "" && c.Reddit.Feed == "" && !xaccount.HasSession(c)
}

// setUp asks what to follow, tries each thing at once, and writes what was entered.
type setUp struct {
	door *session.Door
	port.Trial
	set    map[string]string // what is in force
	fixed  map[string]string // of it, by the environment
	groups []config.Group

	undo  func() error // takes out of the settings what was written last; nil: it stays
	token string       // the admin token that was written with it; "": there was one

	mu      sync.Mutex
	first   bool                     // nothing is set yet
	was     map[string]string        // what this page can change, as it is in force; empty at first
	draft   map[string]string        // settings that could be read
	typed   map[string]string        // what was typed and could not
	clubs   []pages.SetupChoice      // that were chosen
	seen    map[string]feed.Found    // clubs that were found, by how settings name them
	found   map[string][]health.Part // by step
	stopped []health.Part            // why the last start did not happen
	away    bool                     // put off, or written
	failed  *failedLook              // at the matches of a key, since the person asked last; nil: none

	finishing sync.Mutex // one start at a time

	asking sync.Mutex                 // one look at the feed at a time
	of     config.Feed                // of feed
	feed   port.Feed                  // the one in question
	day    *matchDay                  // as a feed listed it whose calls are counted
	names  map[string]json.RawMessage // that were looked up, of each feed apart

	askingReddit sync.Mutex
	public       []health.Part // what is wrong with the public list; nil: not asked yet
}

// Show implements port.SetUp: what was entered before is there again.
func (f *setUp) Show(t port.Trial) (pages.Setup, *session.Door, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Trial = t
	if f.set == nil {
		if err := f.read(); err != nil {
			return nil, nil, err
		}
	}
	for _, p := range f.stopped {
		t.Log.Error("not started with what was entered on the set-up page: "+p.Reason, "module", "setup", "action", "start")
	}
	return f, f.door, nil
}

// read begins with what is in force. f.mu is held.
func (f *setUp) read() error {
	set, err := config.Vars()
	if err != nil {
		return err
	}
	c := f.Config
	set["STATE_DIR"] = c.State.Dir // also where it came from HOME
	f.set, f.fixed, f.groups, f.first = set, config.Environment(), c.Groups(), f.Wanted(c)
	f.was, f.typed, f.clubs, f.stopped, f.failed = map[string]string{}, map[string]string{}, nil, nil, nil
	f.seen, f.found = map[string]feed.Found{}, map[string][]health.Part{}
	for _, s := range append(f.steps(), step{settings: []field{{"FEED", ""}, {"PROOF", ""}}}) {
		for _, at := range s.settings {
			f.was[at.name] = set[at.name]
		}
	}
	f.draft = maps.Clone(f.was)
	if f.first {
		f.draft["TRACK_LEAGUES"] = strings.Join(firstLeagues(), ",")
		return nil
	}
	for _, name := range c.Track.Teams {
		f.clubs = append(f.clubs, clubNamed(name))
	}
	f.was["TRACK_LEAGUES"], f.was["TRACK_TEAMS"] = strings.Join(c.Track.Leagues, ","), valuesOf(f.clubs)
	f.draft["TRACK_LEAGUES"], f.draft["TRACK_TEAMS"] = f.was["TRACK_LEAGUES"], f.was["TRACK_TEAMS"]
	if strings.EqualFold(f.was["TRACK_LEAGUES"], "none") {
		f.draft["TRACK_LEAGUES"] = ""
	}
	return nil
}

// Code implements port.SetUp.
func (f *setUp) Code() string { return f.door.Code() }

// Pending implements port.SetUp.
func (f *setUp) Pending() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.undo != nil
}

// Started implements port.SetUp.
func (f *setUp) Started() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.undo != nil {
		f.undo, f.token = nil, ""
		_ = f.read() // as the start did, which read the same
	}
}

// TakeBack implements port.SetUp: what was written is kept on the page, with why nothing starts with it.
func (f *setUp) TakeBack(why error) (first bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.undo(); err != nil {
		return f.first, err
	}
	f.undo, f.away = nil, false
	f.stopped = []health.Part{{Name: "the start", State: health.StateDown, Reason: plain(footy.UserMessage(why)),
		Remedy: "What you entered is kept here, and nothing is written. Put that right and start again."}}
	return f.first, nil
}

// First implements pages.Setup.
func (f *setUp) First() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.first
}

// Open implements pages.Setup.
func (f *setUp) Open() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.first && !f.away
}

// Later implements pages.Setup.
func (f *setUp) Later() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.away = true; f.first {
		return nil
	}
	return f.read()
}

// Form implements pages.Setup.
func (f *setUp) Form() pages.SetupForm {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := pages.SetupForm{Leagues: leagueChoices(f.was["TRACK_LEAGUES"], f.draft["TRACK_LEAGUES"]), Clubs: slices.Clone(f.clubs), ByKey: f.draft["API_FOOTBALL_KEY"] != "",
		Stopped: f.stopped, Alone: f.Alone, First: f.first, FixedLeagues: f.fixed["TRACK_LEAGUES"] != "", FixedClubs: f.fixed["TRACK_TEAMS"] != ""}
	changes := f.changes(f.draft)
	for _, s := range append([]step{{settings: chosen()}}, f.steps()...) {
		for _, at := range s.settings {
			if _, changed := changes[at.name]; changed && !f.first {
				out.Changed = append(out.Changed, at.label)
			}
		}
		if s.Name != "" {
			out.Steps = append(out.Steps, f.filled(s))
		}
	}
	return out
}

// steps are those whose settings this program has.
func (f *setUp) steps() []step {
	return slices.DeleteFunc(steps(), func(s step) bool {
		return !slices.ContainsFunc(config.Settings(f.groups...), func(is config.Setting) bool { return is.Name == s.settings[len(s.settings)-1].name })
	})
}

// Try implements pages.Setup.
func (f *setUp) Try(ctx context.Context, name string, values url.Values) error {
	s, ok := stepNamed(name)
	if !ok {
		return footy.Errorf(footy.CodeNotFound, "set up", "There is no such step.")
	}
	cookies := strings.TrimSpace(values.Get(cookieField))
	draft := f.enter(s, values)
	c, err := f.config(draft)
	found := problemsOf(err)
	switch {
	case s.isLeftOut(draft) && (cookies == "" || name != stepX):
		found = nil
	case err == nil:
		if found, err = f.look(ctx, s, c, cookies); err != nil {
			return err
		}
	case found == nil:
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if name == stepMatches && draft["API_FOOTBALL_KEY"] != f.draft["API_FOOTBALL_KEY"] { // its ids are its own
		f.clubs = slices.DeleteFunc(f.clubs, func(c pages.SetupChoice) bool { return c.Value != c.Team.Name && !strings.Contains(c.Value, "/") })
		f.draft["TRACK_TEAMS"] = valuesOf(f.clubs)
	}
	for _, at := range s.settings { // what was chosen while this looked stays
		if f.draft[at.name], f.typed[at.name] = draft[at.name], ""; problemsOf(err) != nil { // nothing else could be looked at with it
			f.draft[at.name], f.typed[at.name] = f.was[at.name], draft[at.name]
		}
	}
	f.found[s.Name], f.stopped, f.failed = found, nil, nil
	return nil
}

// enter takes a step's values into the settings. A secret that is left empty stays as it was.
func (f *setUp) enter(s step, values url.Values) map[string]string {
	f.mu.Lock()
	defer f.mu.Unlock()
	draft := maps.Clone(f.draft)
	secret := map[string]bool{}
	for _, is := range config.Settings(f.groups...) {
		secret[is.Name] = is.Secret == "true"
	}
	leave := values.Get("leave") != ""
	for _, at := range s.settings {
		v := strings.TrimSpace(values.Get(at.name))
		switch {
		case at.name == cookieField || f.fixed[at.name] != "" || v == "" && secret[at.name] && !leave:
		case leave:
			draft[at.name] = ""
		default:
			draft[at.name] = v
		}
	}
	return draft
}

func (f *setUp) config(draft map[string]string) (config.Config, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	vars := maps.Clone(f.set)
	maps.Copy(vars, f.changes(draft))
	return config.Parse(vars, f.groups...)
}

// changes are what a draft changes in the settings' file; "": no more set. With a key that was entered API-Football is followed, without one
// ESPN; where there is no model any more clips are proven by their clock alone.
func (f *setUp) changes(draft map[string]string) map[string]string {
	out, unless := maps.Clone(draft), func(name, value string) string {
		return map[bool]string{true: value}[draft[name] == ""]
	}
	if f.first || draft["API_FOOTBALL_KEY"] != f.was["API_FOOTBALL_KEY"] {
		out["FEED"] = unless("API_FOOTBALL_KEY", config.ESPN)
	}
	if f.first || (draft["LLAMA_URL"] == "") != (f.was["LLAMA_URL"] == "") {
		out["PROOF"] = unless("LLAMA_URL", config.ProofClock)
	}
	out["TRACK_LEAGUES"] = cmp.Or(out["TRACK_LEAGUES"], "none")
	maps.DeleteFunc(out, func(name, v string) bool { return v == f.was[name] || f.fixed[name] != "" })
	return out
}

// changed reports whether a draft changes one of these; at first everything is new.
func (f *setUp) changed(draft map[string]string, settings ...field) bool {
	changes := f.changes(draft)
	return f.first || slices.ContainsFunc(settings, func(at field) bool { _, is := changes[at.name]; return is })
}

func problemsOf(err error) (out []health.Part) {
	all, _ := errors.AsType[config.Problems](err)
	for _, p := range all {
		it := "It" // a secret is not shown
		if p.Value != "" && !strings.HasPrefix(p.Value, "(") {
			it = "“" + p.Value + "”"
		}
		out = append(out, health.Part{Name: p.Setting, State: health.StateDown, Reason: it + " " + p.Why, Remedy: explain.UpperFirst(p.Remedy) + "."})
	}
	return out
}

// modelLimit is how long a person who has just set the model's address is kept waiting.
const modelLimit = 40 * time.Second

// look tries what a step sets as footy doctor would.
func (f *setUp) look(ctx context.Context, s step, c config.Config, cookies string) (out []health.Part, err error) {
	switch {
	case s.Name == stepModel:
		seen, err := f.Model(ctx, c, modelLimit)
		return []health.Part{seen}, err
	case s.Name == stepNews:
		return f.tell(ctx, c)
	case s.Name == stepX && cookies != "":
		x := xaccount.Account{Config: c, Log: slog.New(slog.DiscardHandler)}
		if err := x.ImportCookies(ctx, []byte(cookies)); err != nil {
			return []health.Part{{Name: "cookies", State: health.StateDown, Reason: footy.UserMessage(err)}}, nil
		}
		out = append(out, health.Part{Name: "cookies", State: health.StateOK, Reason: "They hold a session of X and are kept in " + c.Browser.Dir + "."})
	}
	return append(out, f.doctor(ctx, s, c)...), nil
}

// tell sends a test message to each address.
func (f *setUp) tell(ctx context.Context, c config.Config) (out []health.Part, err error) {
	all, err := f.Notify(c, "alert")
	if err != nil {
		return []health.Part{{Name: "addresses", State: health.StateDown, Reason: plain(footy.UserMessage(err))}}, nil
	}
	for _, t := range all {
		p := health.Part{Name: t.Name, State: health.StateOK}
		var failed error
		if p.Reason, failed = t.Test(ctx); failed != nil {
			p.State, p.Reason = health.StateDown, footy.UserMessage(failed)
		}
		out = append(out, p)
	}
	return out, nil
}

// doctor is what doctor says of a step alone: another one's trouble is not its own.
func (f *setUp) doctor(ctx context.Context, s step, c config.Config) (out []health.Part) {
	if s.Name != stepMatches {
		c.Feed.Name, c.Feed.Key = config.APIFootball, "" // without a key no feed is asked: each look costs calls
	}
	if s.Name == stepX {
		c.Search.Sources, c.Reddit.ClientID, c.Reddit.Feed = []string{"xweb", "xapi"}, "", ""
	} else {
		c.Search.Sources, c.Search.BearerToken = []string{"reddit"}, ""
	}
	if s.Name == stepReddit {
		c.Reddit.ClientID = "" // an app would be asked instead
	}
	for _, found := range f.Doctor(ctx, c) {
		if !slices.Contains(s.parts, found.Name) {
			continue
		}
		if found.Name == health.Search { // whose title is that of all sources
			found.Name = s.Title
		}
		out = append(out, found)
	}
	return out
}

// Finish implements pages.Setup. What was entered must have answered well, and so must the feed. While a start with it is under way a
// second one changes nothing.
func (f *setUp) Finish(ctx context.Context, values url.Values) (done bool, token string, err error) {
	f.finishing.Lock()
	defer f.finishing.Unlock()
	if f.Pending() {
		return true, f.token, nil
	}
	if values.Get("REDDIT_FEED") != "" {
		if err := f.Try(ctx, stepReddit, values); err != nil {
			return false, "", err
		}
	}
	f.mu.Lock()
	f.failed = nil
	draft := maps.Clone(f.draft)
	f.mu.Unlock()
	stopped := f.inTheWay(ctx, draft)
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(stopped) == 0 && !maps.Equal(draft, f.draft) { // on another tab, say
		stopped = []health.Part{{Name: "the start", State: health.StateDown, Reason: "something was entered while this was checked", Remedy: "Start again."}}
	}
	changes := f.changes(draft)
	if len(changes)+len(stopped) == 0 {
		stopped = []health.Part{{Name: "settings", State: health.StateMissing, Reason: "nothing was changed"}}
	}
	if f.stopped = stopped; len(stopped) > 0 {
		return false, "", nil
	}
	if f.first && f.set[adminToken] == "" {
		f.token = strings.ToLower(rand.Text())
		changes[adminToken] = f.token
	}
	undo, err := write(config.File, changes)
	if err != nil {
		return false, "", err
	}
	f.undo, f.away = undo, true
	go f.Again() // after this answer
	return true, f.token, nil
}

const adminToken = "ADMIN_TOKEN"

// inTheWay says why it cannot be started with a draft.
func (f *setUp) inTheWay(ctx context.Context, draft map[string]string) (out []health.Part) {
	f.mu.Lock()
	for _, s := range f.steps() {
		if health.Worst(f.found[s.Name]) == health.StateDown && f.changed(draft, s.settings...) {
			out = append(out, health.Part{Name: s.Title, State: health.StateDown, Reason: "what you entered does not work yet", Remedy: "Correct it and check it again, or leave it out."})
		}
	}
	matches := f.changed(draft, append(chosen(), field{name: "API_FOOTBALL_KEY"})...)
	f.mu.Unlock()
	if len(out) > 0 {
		return out
	}
	if c, err := f.config(draft); err == nil && c.Feed.InCharge() != f.Config.Feed.InCharge() {
		if kept, err := f.HaveClips(ctx); err != nil || kept { // such a start would be refused
			of := map[string]string{config.ESPN: "ESPN", config.APIFootball: "API-Football"}[f.Config.Feed.InCharge()]
			return []health.Part{{Name: "API-Football", State: health.StateDown, Reason: "clips of " + of + "'s matches are kept here, and the two feeds number matches differently",
				Remedy: "Leave the key as it was, or begin with a new state directory."}}
		}
	}
	if !matches {
		return nil
	}
	_, said := f.matches(ctx, draft)
	return said
}
