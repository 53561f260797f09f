// Package setup is the page that asks for settings on a first run: what to follow, and the keys and addresses of what brings more. It tries
// each thing at once, and writes what was entered to the settings' file.
package setup

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/joho/godotenv"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/private"
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
	return port.Extra{Name: "setup", SetUp: func() port.SetUp { return &setUp{door: session.NewDoor()} }}
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
	set    map[string]string // what was set at the start: an address, a directory
	groups []config.Group

	undo func() error // takes out of the settings what was written last; nil: it stays

	mu      sync.Mutex
	draft   map[string]string        // settings that could be read
	typed   map[string]string        // what was typed and could not
	clubs   []pages.SetupChoice      // that were chosen
	seen    map[string]footy.Team    // clubs that were found, by how settings name them
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
		set, err := config.Vars()
		if err != nil {
			return nil, nil, err
		}
		set["STATE_DIR"] = t.Config.State.Dir // also where it came from HOME
		f.set, f.groups, f.draft = set, t.Config.Groups(), map[string]string{"TRACK_LEAGUES": strings.Join(firstLeagues(), ",")}
		f.typed = map[string]string{}
		f.seen, f.found, f.names = map[string]footy.Team{}, map[string][]health.Part{}, map[string]json.RawMessage{}
	}
	for _, p := range f.stopped {
		t.Log.Error("not started with what was entered on the set-up page: "+p.Reason, "module", "setup", "action", "start")
	}
	return f, f.door, nil
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
	f.undo = nil
}

// TakeBack implements port.SetUp: what was written is kept on the page, with why nothing starts with it.
func (f *setUp) TakeBack(why error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.undo(); err != nil {
		return err
	}
	f.undo, f.away = nil, false
	f.stopped = []health.Part{{Name: "the start", State: health.StateDown, Reason: plain(footy.UserMessage(why)),
		Remedy: "What you entered is kept here, and nothing is written. Put that right and start again."}}
	return nil
}

// Open implements pages.Setup.
func (f *setUp) Open() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return !f.away
}

// Later implements pages.Setup.
func (f *setUp) Later() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.away = true
}

// Form implements pages.Setup.
func (f *setUp) Form() pages.SetupForm {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := pages.SetupForm{Leagues: leagueChoices(f.draft["TRACK_LEAGUES"]), Clubs: slices.Clone(f.clubs), ByKey: f.draft["API_FOOTBALL_KEY"] != "",
		Stopped: f.stopped, Alone: f.Alone}
	for _, s := range steps() {
		out.Steps = append(out.Steps, s.filled(f.draft, f.typed, f.found[s.Name]))
	}
	return out
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
		delete(f.draft, at.name)
		delete(f.typed, at.name)
		switch v, entered := draft[at.name]; {
		case !entered:
		case problemsOf(err) == nil:
			f.draft[at.name] = v
		default: // nothing else could be looked at with what cannot be read
			f.typed[at.name] = v
		}
	}
	f.found[s.Name], f.stopped, f.failed = found, nil, nil
	return nil
}

// enter takes a step's values into the settings. A secret that is left empty stays as it was.
func (f *setUp) enter(s step, values url.Values) map[string]string {
	f.mu.Lock()
	draft := maps.Clone(f.draft)
	f.mu.Unlock()
	secret := map[string]bool{}
	for _, is := range config.Settings() {
		secret[is.Name] = is.Secret == "true"
	}
	leave := values.Get("leave") != ""
	for _, at := range s.settings {
		v := strings.TrimSpace(values.Get(at.name))
		switch {
		case at.name == cookieField || v == "" && secret[at.name] && !leave:
		case v == "" || leave:
			delete(draft, at.name)
		default:
			draft[at.name] = v
		}
	}
	return draft
}

func (f *setUp) config(draft map[string]string) (config.Config, error) {
	vars := maps.Clone(f.set)
	maps.Copy(vars, written(draft))
	return config.Parse(vars, f.groups...)
}

// written is what a draft says in the settings' file: with a key API-Football is followed, else ESPN; without a model clips are proven by
// their clock alone.
func written(draft map[string]string) map[string]string {
	out := maps.Clone(draft)
	if out["API_FOOTBALL_KEY"] == "" {
		out["FEED"] = config.ESPN
	}
	if out["LLAMA_URL"] == "" {
		out["PROOF"] = config.ProofClock
	}
	out["TRACK_LEAGUES"] = cmp.Or(out["TRACK_LEAGUES"], "none")
	maps.DeleteFunc(out, func(_, v string) bool { return v == "" })
	return out
}

func problemsOf(err error) (out []health.Part) {
	var all config.Problems
	if !errors.As(err, &all) {
		return nil
	}
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
	case s.Name == stepX && cookies != "":
		x := xaccount.Account{Config: c, Log: slog.New(slog.DiscardHandler)}
		if _, err := x.ImportCookies(ctx, []byte(cookies)); err != nil {
			return []health.Part{{Name: "cookies", State: health.StateDown, Reason: footy.UserMessage(err)}}, nil
		}
		out = append(out, health.Part{Name: "cookies", State: health.StateOK, Reason: "They hold a session of X and are kept in " + c.Browser.Dir + "."})
	}
	return append(out, f.doctor(ctx, s, c)...), nil
}

// doctor is what doctor says of a step alone: another one's trouble is not its own.
func (f *setUp) doctor(ctx context.Context, s step, c config.Config) (out []health.Part) {
	if s.Name != stepMatches {
		c.Feed = config.Feed{Name: config.APIFootball} // without a key no feed is asked: each look costs calls
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
func (f *setUp) Finish(ctx context.Context, values url.Values) (bool, error) {
	f.finishing.Lock()
	defer f.finishing.Unlock()
	if f.Pending() {
		return true, nil
	}
	if values.Get("REDDIT_FEED") != "" {
		if err := f.Try(ctx, stepReddit, values); err != nil {
			return false, err
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
	if f.stopped = stopped; len(stopped) > 0 {
		return false, nil
	}
	undo, err := write(config.File, written(draft))
	if err != nil {
		return false, err
	}
	f.undo, f.away = undo, true
	go f.Again() // after this answer
	return true, nil
}

// inTheWay says why it cannot be started with a draft.
func (f *setUp) inTheWay(ctx context.Context, draft map[string]string) (out []health.Part) {
	f.mu.Lock()
	for _, s := range steps() {
		if health.Worst(f.found[s.Name]) == health.StateDown {
			out = append(out, health.Part{Name: s.Title, State: health.StateDown, Reason: "what you entered does not work yet", Remedy: "Correct it and check it again, or leave it out."})
		}
	}
	f.mu.Unlock()
	if len(out) > 0 {
		return out
	}
	if draft["API_FOOTBALL_KEY"] != "" {
		if kept, err := f.HaveClips(ctx); err != nil || kept { // such a start would be refused
			return []health.Part{{Name: "API-Football", State: health.StateDown, Reason: "clips of ESPN's matches are kept here, and the two feeds number matches differently",
				Remedy: "Start without the key, or begin with a new state directory."}}
		}
	}
	_, said := f.matches(ctx, draft)
	return said
}

// write appends settings to a file like config.File; only its owner may read it. undo takes them out again, and nothing else that was
// written meanwhile.
func write(path string, set map[string]string) (undo func() error, err error) {
	fail := func(err error) (func() error, error) {
		at, absErr := filepath.Abs(path)
		if absErr != nil {
			at = path
		}
		return nil, footy.Errorf(footy.CodeInvalid, "write settings", "%s cannot be written: %w. Start in a directory that you may write to",
			at, err)
	}
	text, err := godotenv.Marshal(set)
	if err != nil {
		return fail(err)
	}
	if err := private.File(path); err != nil {
		return fail(err)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return fail(err)
	}
	end, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return fail(errors.Join(err, f.Close()))
	}
	block := "\n# Written by the set-up page; docs/settings.md tells of each.\n" + text + "\n"
	_, err = f.WriteString(block)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fail(errors.Join(err, os.Truncate(path, end)))
	}
	return func() error { return takeOut(path, block) }, nil
}

// takeOut takes a block from the end of a file. Where something else was written meanwhile it changes nothing.
func takeOut(path, block string) error {
	const op = "take settings back"
	all, err := os.ReadFile(path)
	if err != nil {
		return footy.Wrap(footy.CodeUnavailable, op, err)
	}
	before, ends := strings.CutSuffix(string(all), block)
	if !ends {
		return footy.Errorf(footy.CodeConflict, op, "%s was changed meanwhile; take out by hand what the set-up page wrote there", path)
	}
	return footy.Wrap(footy.CodeUnavailable, op, os.Truncate(path, int64(len(before))))
}
