package pages

import (
	"context"
	"net/http"
	"net/url"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/health"
)

// Setup asks somebody who started with nothing set for what is needed. It is there on loopback only, and gone once something is set.
type Setup interface {
	// Open tells that nobody has answered or put it off yet: today's page leads there.
	Open() bool
	Steps() []SetupStep
	// Try keeps what was entered at a step and looks whether it works; what does not is among the step's findings.
	Try(ctx context.Context, step string, values url.Values) error
	// Finish writes what works to the settings' file and starts anew with it.
	Finish() error
	// Later puts it off until the next start.
	Later()
}

// SetupStep is one thing to set up.
type SetupStep struct {
	Name, Title string
	Text        string // what it is for, and where to get it
	Without     string // what happens if it is left out
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

// setupLimit is more than any export of cookies.
const setupLimit = 1 << 20

type setupPage struct {
	base
	Steps []SetupStep
	Step  SetupStep
	At    int    // of Steps
	Next  string // name of the one after; "" after the last
	Any   bool   // something was tried
}

func (s *Server) setup() (Setup, error) {
	if s.Setup == nil {
		return nil, footy.Errorf(footy.CodeNotFound, "set up", "There is nothing to set up here: settings are in the environment or in footy.env.")
	}
	return s.Setup, nil
}

// ShowSetup asks for one thing.
func (s *Server) ShowSetup(w http.ResponseWriter, r *http.Request) error {
	set, err := s.setup()
	if err != nil {
		return err
	}
	p := setupPage{base: s.base(r, "Set up"), Steps: set.Steps(), At: -1}
	for i, step := range p.Steps {
		if name := r.URL.Query().Get("step"); step.Name == name || name == "" && i == 0 {
			p.Step, p.At = step, i
		}
		p.Any = p.Any || step.Tried
	}
	if p.At < 0 {
		return footy.Errorf(footy.CodeNotFound, "set up", "There is no such step.")
	}
	if p.At+1 < len(p.Steps) {
		p.Next = p.Steps[p.At+1].Name
	}
	w.Header().Set("Cache-Control", "no-store")
	return s.render(w, r, http.StatusOK, "setup", p)
}

// TrySetup takes the form of one thing.
func (s *Server) TrySetup(w http.ResponseWriter, r *http.Request) error {
	set, err := s.setup()
	if err != nil {
		return err
	}
	r.Body = http.MaxBytesReader(w, r.Body, setupLimit)
	if err := r.ParseForm(); err != nil {
		return footy.Errorf(footy.CodeInvalid, "read form", "This form cannot be read, or is larger than a megabyte.")
	}
	step := r.PathValue("step")
	if err := set.Try(r.Context(), step, r.PostForm); err != nil {
		return err
	}
	http.Redirect(w, r, "/setup?step="+url.QueryEscape(step), http.StatusSeeOther)
	return nil
}

// FinishSetup writes the settings and starts anew.
func (s *Server) FinishSetup(w http.ResponseWriter, r *http.Request) error {
	set, err := s.setup()
	if err != nil {
		return err
	}
	if err := set.Finish(); err != nil {
		return err
	}
	return s.render(w, r, http.StatusOK, "starting", s.base(r, "Starting"))
}

// PutSetupOff leads to today's page with nothing set.
func (s *Server) PutSetupOff(w http.ResponseWriter, r *http.Request) error {
	set, err := s.setup()
	if err != nil {
		return err
	}
	set.Later()
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}
