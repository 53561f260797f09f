package app

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/found-footy/found-footy/internal/connect/llm"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/validate/vision"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/check/trial"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/xaccount"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/tell/web/pages"
	"github.com/found-footy/found-footy/internal/tell/web/session"
)

// nothingSet tells that this is a first run, on a page that only this machine reaches: nothing that a live run needs is set.
func (a *App) nothingSet() bool {
	c := a.Config
	mine := session.IsLoopback(c.Web.Addr) && c.Web.PublicURL == "" && len(c.Web.Proxies) == 0
	return mine && c.Feed.Key == "" && c.Model.URL == "" && c.Search.BearerToken == "" && c.Search.ServiceURL == "" && c.Reddit.ClientID == "" && !xaccount.HasSession(c)
}

// firstRun asks for what a live run needs, tries each thing at once, and writes what was entered.
type firstRun struct {
	version string
	again   func()            // starts anew with what was written
	set     map[string]string // what was set at the start: an address, a directory

	mu    sync.Mutex
	draft map[string]string        // settings that could be read
	found map[string][]health.Part // by step
	away  bool                     // put off, or written
}

func newFirstRun(c config.Config, version string, again func()) (*firstRun, error) {
	set, err := config.Vars()
	if err != nil {
		return nil, err
	}
	set["STATE_DIR"] = c.State.Dir // also where it came from HOME
	return &firstRun{version: version, again: again, set: set, draft: map[string]string{}, found: map[string][]health.Part{}}, nil
}

// step is what is asked for, and the parts that tell how it went.
type step struct {
	pages.SetupStep
	settings []field
	parts    []string
}

type field struct{ name, label string }

const cookieField = "cookies"

func steps() []step {
	return []step{
		{pages.SetupStep{Name: "matches", Title: "Matches", Text: "API-Football tells when a goal falls. A free account at api-football.com shows you a key; it follows one league's afternoon.",
			Without: "no match is followed."},
			[]field{{"API_FOOTBALL_KEY", "Key of API-Football"}, {"TRACK_LEAGUES", "Leagues"}, {"TRACK_TEAMS", "Teams, in whatever competition"}},
			[]string{health.Feed, "feed plan", "followed"}},
		{pages.SetupStep{Name: "model", Title: "Vision model", Text: "A vision model looks whether a clip is football and reads its clock. Any OpenAI-compatible server that sees pictures does: llama.cpp, vLLM, Ollama.",
			Without: "only clips whose running clock can be read are shown."},
			[]field{{"LLAMA_URL", "Its address"}, {"LLAMA_MODEL", "Name of the model"}, {"LLAMA_API_KEY", "Its key, if it wants one"}},
			[]string{health.Model}},
		{pages.SetupStep{Name: "x", Title: "X", Text: "Clips are searched on X with an account of yours. Export the cookies of x.com from the browser in which you are logged in (docs/x-login.md), or take the paid API.",
			Without: "no clip is searched for on X."},
			[]field{{cookieField, "Cookies, as exported"}, {"X_BEARER_TOKEN", "Token of the paid API"}},
			[]string{health.Search}},
		{pages.SetupStep{Name: "reddit", Title: "Reddit", Text: "Goal posts of r/soccer are a second source, with an app of yours (docs/reddit.md). It can replace X.",
			Without: "Reddit is not looked through."},
			[]field{{"REDDIT_CLIENT_ID", "Id of your app"}, {"REDDIT_CLIENT_SECRET", "Its secret"}},
			[]string{health.Search}},
	}
}

// Open implements pages.Setup.
func (f *firstRun) Open() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return !f.away
}

// Later implements pages.Setup.
func (f *firstRun) Later() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.away = true
}

// Steps implements pages.Setup.
func (f *firstRun) Steps() []pages.SetupStep {
	f.mu.Lock()
	defer f.mu.Unlock()
	known := map[string]config.Setting{}
	for _, s := range config.Settings() {
		known[s.Name] = s
	}
	var out []pages.SetupStep
	for _, s := range steps() {
		for _, at := range s.settings {
			one := pages.SetupField{Name: at.name, Label: at.label, Doc: "The text or the file's content; it is kept in the state directory, never in footy.env.", Long: true}
			if is, ok := known[at.name]; ok {
				one.Doc, one.Long, one.Secret = is.Name+". "+is.Doc, false, is.Secret == "true"
				if one.Set = one.Secret && f.draft[at.name] != ""; !one.Secret {
					one.Value = f.draft[at.name]
				}
			}
			s.Fields = append(s.Fields, one)
		}
		s.Found, s.Tried = f.found[s.Name], f.found[s.Name] != nil
		out = append(out, s.SetupStep)
	}
	return out
}

// Try implements pages.Setup.
func (f *firstRun) Try(ctx context.Context, name string, values url.Values) error {
	all := steps()
	i := slices.IndexFunc(all, func(s step) bool { return s.Name == name })
	if i < 0 {
		return footy.Errorf(footy.CodeNotFound, "set up", "There is no such step.")
	}
	s := all[i]
	draft, c, err := f.read(s, values)
	found := problemsOf(err)
	if err == nil {
		if found, err = f.look(ctx, s, c, strings.TrimSpace(values.Get(cookieField))); err != nil {
			return err
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.found[s.Name] = found
	if draft != nil {
		f.draft = draft
	}
	return nil
}

// read takes a step's values into the settings; no draft if they cannot be read. A secret that is left empty stays as it was.
func (f *firstRun) read(s step, values url.Values) (map[string]string, config.Config, error) {
	f.mu.Lock()
	draft := maps.Clone(f.draft)
	f.mu.Unlock()
	secret := map[string]bool{}
	for _, is := range config.Settings() {
		secret[is.Name] = is.Secret == "true"
	}
	for _, at := range s.settings {
		v := strings.TrimSpace(values.Get(at.name))
		switch {
		case at.name == cookieField || v == "" && secret[at.name]:
		case v == "":
			delete(draft, at.name)
		default:
			draft[at.name] = v
		}
	}
	vars := maps.Clone(f.set)
	maps.Copy(vars, draft)
	c, err := config.Parse(vars)
	if err != nil {
		draft = nil
	}
	return draft, c, err
}

func problemsOf(err error) (out []health.Part) {
	var all config.Problems
	if !errors.As(err, &all) {
		return nil
	}
	for _, p := range all {
		out = append(out, health.Part{Name: p.Setting, State: health.StateDown, Reason: p.Value + " " + p.Why + ".", Remedy: p.Remedy + "."})
	}
	return out
}

// look tries what a step sets as footy doctor would.
func (f *firstRun) look(ctx context.Context, s step, c config.Config, cookies string) (out []health.Part, err error) {
	if cookies != "" && s.Name == "x" {
		x := xaccount.Account{Config: c, Log: slog.New(slog.DiscardHandler)}
		if _, err := x.ImportCookies(ctx, []byte(cookies), ""); err != nil {
			return []health.Part{{Name: "cookies", State: health.StateDown, Reason: footy.UserMessage(err)}}, nil
		}
		out = append(out, health.Part{Name: "cookies", State: health.StateOK, Reason: "They hold a session of X and are kept in " + c.Browser.Dir + "."})
	}
	if m := c.Model; s.Name == "model" && m.URL != "" {
		seen, err := trial.Glance(ctx, vision.New(showing(m), llm.New(llm.Options{URL: m.URL, Model: m.Name, APIKey: m.APIKey}, httpx.New(httpx.Options{}))))
		return []health.Part{seen}, err
	}
	if s.Name != "matches" {
		c.Feed.Key = "" // each look costs calls of the plan
	}
	for _, found := range Doctor(ctx, c, f.version) {
		if slices.Contains(s.parts, found.Name) {
			out = append(out, found.Part)
		}
	}
	return out, nil
}

// Finish implements pages.Setup.
func (f *firstRun) Finish() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.draft) > 0 {
		if err := config.Append(config.File, f.draft); err != nil {
			return err
		}
	}
	f.away = true
	go f.again() // after this answer
	return nil
}
