package pages

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
	"github.com/found-footy/found-footy/internal/tell/web/pages/frame"
	"github.com/found-footy/found-footy/internal/tell/web/session"
)

// Setup asks for what to follow, at first and later.
type Setup interface {
	// First reports that nothing is set yet; Open that it was not put off either: today's page leads there.
	First() bool
	Open() bool
	// Pending reports that settings were written and nothing runs with them yet.
	Pending() bool
	// Form is what was chosen and tried until now; nothing is asked over the network.
	Form() SetupForm
	// Today asks for today's matches of what is chosen, and whether Reddit answers; what does not is among the parts.
	Today(ctx context.Context) ([]footy.Snapshot, []health.Part)
	// Clubs finds clubs by a part of their name.
	Clubs(ctx context.Context, name string) ([]SetupChoice, error)
	// Choose keeps the leagues and clubs of a form.
	Choose(values url.Values) error
	// Try keeps what was entered at a step and looks whether it works; what does not is among the step's findings.
	Try(ctx context.Context, step string, values url.Values) error
	// Finish writes what was chosen to the settings' file and starts anew with it; not done: the form says what is in the way. token is the
	// operators' from then on, "" where there was one.
	Finish(ctx context.Context, values url.Values) (done bool, token string, err error)
	// Later puts it off until the next start; what is set stays as it is, and what was entered is forgotten.
	Later() error
}

// SetupForm is what the page shows.
type SetupForm struct {
	Leagues []SetupChoice
	Clubs   []SetupChoice // that were chosen
	Steps   []SetupStep
	ByKey   bool          // matches come by a key of API-Football
	Stopped []health.Part // why the last start did not happen
	Alone   bool          // nothing runs but this page: there is nothing to look at
	First   bool          // nothing is set yet
	Changed []string      // what is not in force yet; none at first

	FixedLeagues, FixedClubs bool // by the environment
}

// SetupChoice is a league or a club that can be followed.
type SetupChoice struct {
	Value         string // as settings name it
	Name, Country string
	Team          footy.Team
	On            bool
}

// Crest is the address of a club's crest.
func (c SetupChoice) Crest() string { return view.TeamOf(c.Team).Logo }

// SetupStep is one thing that can be set up.
type SetupStep struct {
	Name, Title string
	First       bool // asked for beside the start; the others are upgrades
	Costs       string
	Brings      string
	Already     string // what works without it
	How         string // where to get it
	Fields      []SetupField
	IsSet       bool // something of it is
	Tried       bool
	Found       []health.Part // how it went
}

// Outcome of a step that was tried, in a word or three.
func (s SetupStep) Outcome() string { return health.Part{State: health.Worst(s.Found)}.Word() }

// SetupField is one setting.
type SetupField struct {
	Name, Label string
	Value       string // never a secret's
	Secret, Set bool
	Fixed, Long bool // by the environment; several lines
}

// SetupBody is how large a form may be: cookies of a whole browser are.
const SetupBody = 4 << 20

// codePage asks for the code that opens the set-up page from elsewhere.
type codePage struct {
	frame.Base
	Wrong, Exposed bool
}

// startingPage is there until the process has started anew, or the token was read.
type startingPage struct {
	frame.Base
	Token string
	First bool
}

type setupPage struct {
	frame.Base
	SetupForm
	Exposed  bool // what is entered can be read on the way
	Reddit   SetupStep
	Upgrades []SetupStep
	Query    string
	Asked    bool // clubs were searched for
	Found    []SetupChoice
	FoundNot string // why no club could be searched for
	Looked   bool   // today's matches were asked for
	Matches  []view.Fixture
	Said     []health.Part
}

// Failed reports that today's matches could not be asked for.
func (p setupPage) Failed() bool { return health.Worst(p.Said) == health.StateDown }

// MaySetUp reports whether a request may see the settings: while nothing is set on this machine or with the code, later as an operator.
func MaySetUp(set Setup, door *session.Door, operators *session.Operators, r *http.Request) bool {
	if set.First() {
		return door.Admits(r)
	}
	return operators.Sees(r)
}

func (s *Server) setup(w http.ResponseWriter, r *http.Request) (Setup, error) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "same-origin")
	switch {
	case s.Setup == nil:
		return nil, footy.Errorf(footy.CodeNotFound, "set up", "This process has no settings page. Edit footy.env or the environment, and start footy again.")
	case MaySetUp(s.Setup, s.Door, s.Operators, r):
		return s.Setup, nil
	case s.Setup.First():
		return nil, footy.Errorf(footy.CodeAuthRequired, "set up", "Enter the code of the log at /setup first.")
	}
	return nil, footy.Errorf(footy.CodeAuthRequired, "set up", "Sign in with the admin token first.")
}

// EnterCode opens the set-up page to a browser of another machine.
func (s *Server) EnterCode(w http.ResponseWriter, r *http.Request) error {
	if s.Setup == nil || !s.Setup.First() {
		http.Redirect(w, r, "/setup", http.StatusSeeOther)
		return nil
	}
	if !s.Door.Enter(w, r, r.PostFormValue("code")) {
		return s.askCode(w, r, true)
	}
	s.Log.InfoContext(r.Context(), "the set-up page was opened by its code", "action", "set_up", "from", r.RemoteAddr)
	http.Redirect(w, r, "/setup", http.StatusSeeOther)
	return nil
}

func (s *Server) askCode(w http.ResponseWriter, r *http.Request, wrong bool) error {
	return s.pages.Send(w, r, http.StatusUnauthorized, "code", codePage{s.Frame.Base(r, "Set up"), wrong, !session.Encrypted(r)})
}

// ShowSetup asks what to follow. With q it finds clubs, with today it shows today's matches of what is chosen.
func (s *Server) ShowSetup(w http.ResponseWriter, r *http.Request) error {
	set, err := s.setup(w, r)
	switch {
	case s.Setup != nil && s.Setup.Pending(): // who waits for the new process asks until it answers
		return footy.Errorf(footy.CodeUnavailable, "set up", "Found Footy restarts with the settings that were written.")
	case footy.CodeOf(err) == footy.CodeAuthRequired:
		if s.Setup.First() {
			return s.askCode(w, r, false)
		}
		http.Redirect(w, r, "/admin?back=/setup", http.StatusSeeOther)
		return nil
	case err != nil:
		return err
	}
	q := r.URL.Query()
	if from := r.Header.Get("Sec-Fetch-Site"); from == "cross-site" || from == "same-site" {
		q = nil // another site's link may lead here, and look nothing up
	}
	p := setupPage{Base: s.Frame.Base(r, "Set up"), SetupForm: set.Form(), Query: strings.TrimSpace(q.Get("q")), Looked: q.Has("today"), Exposed: !session.Local(r) && !session.Encrypted(r)}
	if !p.First {
		p.Title = "Server settings"
	}
	for _, step := range p.Steps {
		if step.First {
			p.Reddit = step
		} else {
			p.Upgrades = append(p.Upgrades, step)
		}
	}
	if p.Asked = p.Query != ""; p.Asked {
		if p.Found, err = set.Clubs(r.Context(), p.Query); err != nil {
			p.FoundNot = explain.UpperFirst(strings.TrimSuffix(footy.RootCause(err), ".")) + "."
		}
	}
	if p.Looked {
		var list []footy.Snapshot
		list, p.Said = set.Today(r.Context())
		for _, m := range list {
			p.Matches = append(p.Matches, view.FixtureOf(&footy.Fixture{ID: m.Match.ID, Match: m.Match, League: m.League, Teams: m.Teams, Score: m.Score, Periods: m.Periods}, lookup.Zone(r)))
		}
	}
	return s.pages.Send(w, r, http.StatusOK, "setup", p)
}

// onSetup takes a form of the set-up page; do says where it leads, "" where it has answered.
func (s *Server) onSetup(w http.ResponseWriter, r *http.Request, do func(Setup) (to string, err error)) error {
	set, err := s.setup(w, r)
	if err == nil && !set.First() {
		err = s.Operators.CheckForm(r)
	}
	if err == nil && r.ParseForm() != nil {
		err = footy.Errorf(footy.CodeInvalid, "read form", "This form cannot be read.")
	}
	if err != nil {
		return err
	}
	to, err := do(set)
	if err == nil && to != "" {
		http.Redirect(w, r, to, http.StatusSeeOther)
	}
	return err
}

// ChooseSetup takes the leagues and clubs, and shows today's matches of them.
func (s *Server) ChooseSetup(w http.ResponseWriter, r *http.Request) error {
	return s.onSetup(w, r, func(set Setup) (string, error) { return "/setup?today=1#today", set.Choose(r.PostForm) })
}

// TrySetup takes the form of one thing.
func (s *Server) TrySetup(w http.ResponseWriter, r *http.Request) error {
	step := r.PathValue("step")
	return s.onSetup(w, r, func(set Setup) (string, error) {
		return "/setup#" + url.PathEscape(step), set.Try(r.Context(), step, r.PostForm)
	})
}

// FinishSetup writes the settings and starts anew, or says what is in the way.
func (s *Server) FinishSetup(w http.ResponseWriter, r *http.Request) error {
	return s.onSetup(w, r, func(set Setup) (string, error) {
		first := set.First()
		done, token, err := set.Finish(r.Context(), r.PostForm)
		if err != nil || !done {
			return "/setup", err
		}
		session.New(token, s.Now).SignIn(w, r, token)
		return "", s.pages.Send(w, r, http.StatusOK, "starting", startingPage{s.Frame.Base(r, "Starting"), token, first})
	})
}

// PutSetupOff leads to today's page with nothing set, or forgets what is not in force.
func (s *Server) PutSetupOff(w http.ResponseWriter, r *http.Request) error {
	return s.onSetup(w, r, func(set Setup) (string, error) { return "/", set.Later() })
}
