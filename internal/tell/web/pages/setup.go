package pages

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
	"github.com/found-footy/found-footy/internal/tell/web/pages/frame"
	"github.com/found-footy/found-footy/internal/tell/web/session"
)

// Setup asks for what to follow where nothing is set. It is gone once something is.
type Setup interface {
	// Open reports that set-up was neither done nor put off yet: today's page leads there.
	Open() bool
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
	// Finish writes what was chosen to the settings' file and starts anew with it; false: the form says what is in the way.
	Finish(ctx context.Context, values url.Values) (bool, error)
	// Later puts it off until the next start.
	Later()
}

// SetupForm is what the page shows.
type SetupForm struct {
	Leagues []SetupChoice
	Clubs   []SetupChoice // that were chosen
	Steps   []SetupStep
	ByKey   bool          // matches come by a key of API-Football
	Stopped []health.Part // why the last start did not happen
	Alone   bool          // nothing runs but this page: there is nothing to look at
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
	Tried       bool
	Found       []health.Part // how it went
}

// Outcome of a step that was tried, in a word or three.
func (s SetupStep) Outcome() string { return health.Part{State: health.Worst(s.Found)}.Word() }

// SetupField is one setting.
type SetupField struct {
	Name, Label, Doc string
	Value            string // never a secret's
	Secret, Set      bool
	Long             bool // several lines
}

// SetupBody is how large a form may be: cookies of a whole browser are.
const SetupBody = 4 << 20

// codePage asks for the code that opens the set-up page from elsewhere.
type codePage struct {
	frame.Base
	Wrong, Exposed bool
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

// setup is for this machine, and for browsers in which the code was entered.
func (s *Server) setup(w http.ResponseWriter, r *http.Request) (Setup, error) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "same-origin")
	switch {
	case s.Setup == nil:
		return nil, footy.Errorf(footy.CodeNotFound, "set up", "This is set up already. To change it, edit footy.env or the environment (TRACK_TEAMS and TRACK_LEAGUES say what is followed) and start footy again.")
	case !s.Door.Admits(r):
		return nil, footy.Errorf(footy.CodeAuthRequired, "set up", "Enter the code of the log at /setup first.")
	}
	return s.Setup, nil
}

// EnterCode opens the set-up page to a browser of another machine.
func (s *Server) EnterCode(w http.ResponseWriter, r *http.Request) error {
	if _, err := s.setup(w, r); err != nil && footy.CodeOf(err) != footy.CodeAuthRequired {
		return err
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
	if footy.CodeOf(err) == footy.CodeAuthRequired {
		return s.askCode(w, r, false)
	}
	if err != nil {
		return err
	}
	q := r.URL.Query()
	if from := r.Header.Get("Sec-Fetch-Site"); from == "cross-site" || from == "same-site" {
		q = nil // another site's link may lead here, and look nothing up
	}
	p := setupPage{Base: s.Frame.Base(r, "Set up"), SetupForm: set.Form(), Query: strings.TrimSpace(q.Get("q")), Looked: q.Has("today"), Exposed: !session.Local(r) && !session.Encrypted(r)}
	for _, step := range p.Steps {
		if step.First {
			p.Reddit = step
		} else {
			p.Upgrades = append(p.Upgrades, step)
		}
	}
	if p.Asked = p.Query != ""; p.Asked {
		if p.Found, err = set.Clubs(r.Context(), p.Query); err != nil {
			p.FoundNot = footy.UserMessage(err)
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
		done, err := set.Finish(r.Context(), r.PostForm)
		if err == nil && done {
			return "", s.pages.Send(w, r, http.StatusOK, "starting", s.Frame.Base(r, "Starting"))
		}
		return "/setup", err
	})
}

// PutSetupOff leads to today's page with nothing set.
func (s *Server) PutSetupOff(w http.ResponseWriter, r *http.Request) error {
	return s.onSetup(w, r, func(set Setup) (string, error) {
		set.Later()
		return "/", nil
	})
}
