package setup

import (
	"cmp"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/xaccount"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/tell/web/pages"
)

// step is what the set-up page asks for, and the parts of doctor that tell how it went.
type step struct {
	pages.SetupStep
	settings []field
	parts    []string
}

type field struct{ name, label string }

// Fields and steps that are more than their settings.
const (
	cookieField = "cookies"
	stepReddit  = "reddit"
	stepMatches = "matches"
	stepModel   = "model"
	stepX       = "x"
	stepNews    = "news"
)

func steps() []step {
	return []step{
		{pages.SetupStep{Name: stepReddit, Title: "Reddit", First: true,
			Costs: "It is free and takes a minute.", Brings: "With an address of your own Reddit lets this machine see the posts of r/soccer.",
			Already: "Without it Reddit's public list is tried, which refuses many, and then an archive of it that volunteers run: later, and with no promise that it is up. The address is kept secret, like a password."},
			[]field{{"REDDIT_FEED", "Address of your RSS feed"}},
			[]string{health.Search}},
		{pages.SetupStep{Name: stepMatches, Title: "API-Football",
			Costs: "A paid plan. A free key is slower than no key: its calls last for a poll every few minutes.", Brings: "An official source of matches, sure to stay.",
			Already: "Without it ESPN's scoreboard is followed.",
			How:     "Make an account at api-football.com; its dashboard shows the key."},
			[]field{{"API_FOOTBALL_KEY", "Key of API-Football"}},
			[]string{health.Feed, "feed plan", "followed"}},
		{pages.SetupStep{Name: stepX, Title: "X",
			Costs: "An account of yours, or X's paid service.", Brings: "More clips, and sooner than on Reddit.",
			Already: "Without it clips come from Reddit.",
			How:     "Export the cookies of x.com from the browser in which you are logged in (docs/x-login.md); they stay on this machine. Or take a token of the paid service."},
			[]field{{cookieField, "Cookies, as exported"}, {"X_BEARER_TOKEN", "Token of the paid service"}},
			[]string{health.Search}},
		{pages.SetupStep{Name: stepModel, Title: "Vision model",
			Costs: "A graphics card, or a server you pay for.", Brings: "Proves clips whose clock cannot be read, and catches fakes.",
			Already: "Without it clips are shown whose running clock can be read.",
			How:     "Any OpenAI-compatible server that sees pictures does: Ollama, llama.cpp, vLLM."},
			[]field{{"LLAMA_URL", "Address of the server"}, {"LLAMA_MODEL", "Name of the model"}, {"LLAMA_API_KEY", "Key of the server, if it wants one"}},
			[]string{health.Model}},
		{pages.SetupStep{Name: stepNews, Title: "Notifications",
			Costs: "Free, with ntfy, Telegram, Discord and others.", Brings: "Goals, first clips and what fails, on your phone.",
			Already: "Without them the page alone shows goals; browsers have the bell there.",
			How:     "Write addresses like ntfy://ntfy.sh/my-goals, with spaces between them. Checking sends a test message."},
			[]field{{"NOTIFICATIONS", "Addresses to tell"}}, nil},
	}
}

// stepNamed is the step of that name.
func stepNamed(name string) (step, bool) {
	all := steps()
	i := slices.IndexFunc(all, func(s step) bool { return s.Name == name })
	if i < 0 {
		return step{}, false
	}
	return all[i], true
}

// filled is a step with what was entered, also where it cannot be read; secrets are not shown again. f.mu is held.
func (f *setUp) filled(s step) pages.SetupStep {
	known := map[string]config.Setting{}
	for _, is := range config.Settings(f.groups...) {
		known[is.Name] = is
	}
	out, found := s.SetupStep, f.found[s.Name]
	for _, at := range s.settings {
		one := pages.SetupField{Name: at.name, Label: at.label, Long: at.name == cookieField, Fixed: f.fixed[at.name] != ""}
		if is, ok := known[at.name]; ok {
			one.Secret = is.Secret == "true"
			if one.Set = one.Secret && f.draft[at.name] != ""; !one.Secret {
				one.Value = cmp.Or(f.typed[at.name], f.draft[at.name])
			}
		} else {
			one.Set = xaccount.HasSession(f.Config)
		}
		out.IsSet = out.IsSet || one.Set || one.Value != ""
		out.Fields = append(out.Fields, one)
	}
	out.Tried = found != nil
	for _, p := range found {
		p.Name, p.Reason, p.Remedy = strings.Trim(plain(p.Name), "“”"), plain(p.Reason), plain(p.Remedy)
		out.Found = append(out.Found, p)
	}
	return out
}

func (s step) isLeftOut(draft map[string]string) bool {
	return !slices.ContainsFunc(s.settings, func(at field) bool { return draft[at.name] != "" })
}

// chosen are what is chosen above the steps.
func chosen() []field { return []field{{"TRACK_LEAGUES", "Leagues"}, {"TRACK_TEAMS", "Clubs"}} }

// others are the words for settings that doctor names and the page has no field for.
func others() []field {
	return append(chosen(), []field{
		{"REDDIT_SUBREDDITS", "the subreddits"}, {"FEED=espn", "no key"}, {"STATE_DIR", "state directory"},
		{"MONITOR_INTERVAL", "the time between polls"}, {"ESPN_URL", "ESPN's address"}, {"API_FOOTBALL_URL", "the address of API-Football"},
		{"MODEL_FRAME_LINES", "The height of its pictures"}, {"LLAMA_SLOTS", "the number of questions at once"},
	}...)
}

// plain says what doctor says without the names of settings: the page has words for them.
func plain(text string) string {
	all := others()
	for _, s := range steps() {
		for _, at := range s.settings {
			all = append(all, field{at.name, "“" + at.label + "”"})
		}
	}
	var pairs []string
	for _, at := range slices.DeleteFunc(all, func(at field) bool { return at.name == cookieField }) {
		pairs = append(pairs, at.name, at.label)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
