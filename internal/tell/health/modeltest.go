package health

import (
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/decide/clip/modelpace"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// ModelTest is what a vision model made of pictures that were drawn for it; package trial shows them.
type ModelTest struct {
	Model string `json:"model"`
	// What the server tells of itself, if it is an Ollama.
	Server   string    `json:"server,omitempty"`         // "Ollama 0.12.6"
	Context  int       `json:"server_context,omitempty"` // tokens; 0 = not told
	NoVision bool      `json:"no_vision,omitempty"`      // its list of the model's abilities lacks it
	At       time.Time `json:"at"`                       // when it began

	Trouble footy.Reason `json:"trouble,omitempty"` // what ended it early: model_unreachable, model_blind, ...; "" = nothing
	Detail  string       `json:"detail,omitempty"`  // the server's own words

	Pictures int             `json:"pictures"` // that it was shown and answered about
	Right    int             `json:"right"`    // of them
	Kinds    []ModelTestKind `json:"kinds"`
	Clocks   int             `json:"clocks_right"`
	Others   int             `json:"others_right"` // films of a screen and what is no football
	Alike    bool            `json:"answers_alike,omitempty"`
	Football int             `json:"football_recognised"` // of the drawn matches; a drawing may be taken for a game
	Matches  int             `json:"matches_drawn"`

	MedianSeconds float64          `json:"median_seconds,omitempty"` // of a question, one at a time
	WorstSeconds  float64          `json:"worst_seconds,omitempty"`
	Pace          []modelpace.Pace `json:"pace,omitempty"`
	PaceLeftOut   bool             `json:"pace_left_out,omitempty"` // several at once were not tried: it would have taken too long
	TimeUp        bool             `json:"time_up,omitempty"`       // not all pictures were shown
	SlotsSet      int              `json:"slots_set"`               // LLAMA_SLOTS
	SlotsBest     int              `json:"slots_best,omitempty"`    // as many at once as bring something; 0 = not known
	GoalsAnHour   float64          `json:"goals_an_hour,omitempty"` // that it carries with SlotsBest
	ClipsPerGoal  float64          `json:"clips_per_goal"`          // about which a model is asked: measured, or as is usual

	Lines   int          `json:"frame_lines,omitempty"` // what it was shown
	Corners bool         `json:"corners,omitempty"`
	Alone   bool         `json:"one_frame_a_question,omitempty"`
	Reduced footy.Reason `json:"reduced,omitempty"` // why that is less than the settings ask for
}

// ModelTestKind is one kind of picture.
type ModelTestKind struct {
	Name   string   `json:"name"` // for people
	Shown  int      `json:"shown"`
	Right  int      `json:"right"`
	Misses []string `json:"misses,omitempty"` // each in words
}

// ModelTestRun is how a test does that is asked for on the page.
type ModelTestRun struct {
	Running bool
	Step    ModelTestStep
	Last    *ModelTest // the latest result; nil: none yet
	Failed  string     // why the latest brought no result
}

// ModelTestStep is how far a test is.
type ModelTestStep struct {
	Asked, Of int           // questions that had an answer, of all
	Picture   int           // the last of those shown now; 0: several questions are put at once
	Pictures  int           // of so many
	Waited    time.Duration // for its answer, so far
	AtMost    time.Duration // that is waited, in this step
	Loading   bool          // the server says that its model is loading
	Silent    bool          // the server has not answered at all yet
}

// Sentence says how far it is.
func (s ModelTestStep) Sentence() string {
	limit := explain.Span(s.AtMost) + " at most"
	switch {
	case s.Loading:
		return fmt.Sprintf("the model is loading; waited for it for %s, %s", explain.Span(s.Waited), limit)
	case s.Silent:
		return fmt.Sprintf("the server has not answered for %s; %s", explain.Span(s.Waited), limit)
	case s.Of == 0:
		return "asking whether the server is there"
	}
	what := fmt.Sprintf("picture %d of %d", s.Picture, s.Pictures)
	if s.Picture == 0 {
		what = fmt.Sprintf("several questions at once, %d of %d answered", s.Asked, s.Of)
	}
	if s.Waited > 0 {
		what += fmt.Sprintf(": no answer for %s yet; %s", explain.Span(s.Waited), limit)
	}
	return what
}

// Sees reports whether the model sees pictures, as far as that shows: it reads a clock, or tells the kinds of pictures apart.
func (m ModelTest) Sees() bool { return m.Clocks > 0 || m.Others > 3 && 2*m.Football > m.Matches }

// Usable reports whether the model can prove clips.
func (m ModelTest) Usable() bool { return m.Trouble == "" && m.Clocks > 0 }

// Verdict is the result in a sentence or two.
func (m ModelTest) Verdict() string {
	if what, _, known := ModelTrouble(m.Trouble); known {
		out := explain.UpperFirst(what)
		if m.Detail != "" {
			out += ": " + m.Detail
		}
		return strings.TrimRight(out, ". ") + "."
	}
	switch {
	case m.Usable():
		return fmt.Sprintf("It sees pictures, and reads %d of %d right.", m.Right, m.Pictures)
	case m.Sees():
		return "It sees pictures, but reads none of the clocks: it can prove no clip."
	case m.Alike:
		return "It says the same of every picture: it does not see them. A text model behind a server that drops pictures answers like this."
	}
	return "It answers, but no answer fits the pictures: it sees none, or too little in them."
}

// Remedy is what to do about the verdict; "" if nothing has to be done.
func (m ModelTest) Remedy() string {
	if _, remedy, known := ModelTrouble(m.Trouble); known {
		return remedy
	}
	switch {
	case !m.Sees():
		_, remedy, _ := ModelTrouble(footy.ReasonModelBlind)
		return remedy
	case !m.Usable():
		return "Take a larger model. MODEL_FRAME_LINES and MODEL_CORNERS say how large it sees clocks."
	}
	if m.Reduced != "" {
		_, remedy := ModelReduced(m.Reduced, "")
		return remedy
	}
	if m.Right*4 < m.Pictures*3 {
		return "Take a larger model: it will lose as many real clips."
	}
	return ""
}

// Findings are the further results, a sentence each.
func (m ModelTest) Findings() []string {
	out := m.server()
	if m.Lines > 0 {
		text := "A question shows " + Shown(m.Lines, m.Corners, m.Alone) + "."
		if m.Reduced != "" {
			what, _ := ModelReduced(m.Reduced, Shown(m.Lines, m.Corners, m.Alone))
			text = explain.UpperFirst(what) + "."
		}
		out = append(out, text)
	}
	if m.Matches > 0 && m.Football < m.Matches {
		out = append(out, fmt.Sprintf("It took %d of %d drawn matches for football; a drawing may pass for a video game, real footage does not.", m.Football, m.Matches))
	}
	if m.MedianSeconds > 0 {
		out = append(out, fmt.Sprintf("A question takes %s (median), %s at worst.", seconds(m.MedianSeconds), seconds(m.WorstSeconds)))
	}
	if len(m.Pace) > 1 {
		var at []string
		for _, p := range m.Pace {
			at = append(at, fmt.Sprintf("%d at once: %s an hour", p.AtOnce, grouped(int64(p.QuestionsAnHour))))
		}
		out = append(out, "Questions "+strings.Join(at, ", ")+". "+m.slots())
	}
	if m.TimeUp {
		out = append(out, fmt.Sprintf("The time was over after %s; the others were not shown.", explain.Plural(m.Pictures, "picture", "pictures")))
	}
	if m.PaceLeftOut {
		out = append(out, "Several questions at once were not tried: that would have taken long.")
	}
	if m.GoalsAnHour > 0 {
		out = append(out, fmt.Sprintf("It can handle about %s goals an hour, if it is asked about %s clips of each.", grouped(int64(m.GoalsAnHour+0.5)), strings.TrimSuffix(fmt.Sprintf("%.1f", m.ClipsPerGoal), ".0")))
	}
	return out
}

// enoughContext is what a question with frames in full size takes, with its answer.
const enoughContext = 12288

// server is what the server's own words mean.
func (m ModelTest) server() []string {
	if m.Server == "" {
		return nil
	}
	out := []string{"The server is " + m.Server + "."}
	if m.NoVision {
		out = append(out, "It does not list vision among what "+m.Model+" can do: take a model that does (ollama show "+m.Model+").")
	}
	if m.Context > 0 && m.Context < enoughContext {
		out = append(out, fmt.Sprintf("It gives the model a context of %s tokens, and cuts what does not fit without a word: start it with OLLAMA_CONTEXT_LENGTH=%d.",
			grouped(int64(m.Context)), enoughContext))
	}
	return out
}

// slots compares what helps to what is set.
func (m ModelTest) slots() string {
	switch {
	case m.SlotsBest > m.SlotsSet:
		return fmt.Sprintf("Set LLAMA_SLOTS=%d (it is %d).", m.SlotsBest, m.SlotsSet)
	case m.SlotsSet > m.Pace[len(m.Pace)-1].AtOnce:
		return fmt.Sprintf("LLAMA_SLOTS=%d is more than was tried.", m.SlotsSet)
	case m.SlotsBest < m.SlotsSet:
		return fmt.Sprintf("More than %d at once brings nothing: set LLAMA_SLOTS=%d (it is %d).", m.SlotsBest, m.SlotsBest, m.SlotsSet)
	}
	return fmt.Sprintf("LLAMA_SLOTS=%d is right.", m.SlotsSet)
}

func seconds(s float64) string {
	if s < 10 {
		return fmt.Sprintf("%.1f s", s)
	}
	return explain.Span(time.Duration(s * float64(time.Second)))
}
