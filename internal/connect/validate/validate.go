// Package validate is the port to what reads the pictures of a clip, and keeps how that does. It only says what can be seen;
// recognize/clock decides what that proves. Fail closed: no reading, no verdict, no clip.
package validate

import (
	"context"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/footy"
)

// Frame is one picture of a clip.
type Frame struct {
	At   float64 // seconds into the video
	JPEG []byte
}

// Reader reads frames: what sport, a filmed screen or not, and the texts of the clock. An error means that no reading
// could be had (unavailable while no model is healthy), which is never the same as "nothing shown". Its reason names the
// trouble: one of model_...; none if the caller ended it.
type Reader interface {
	// Read returns one reading per frame, in order. Time spent waiting for a model that is loading or busy does not count against the
	// compute limit. A reading says which of the kinds of events its frame shows, if there are any.
	Read(ctx context.Context, frames []Frame, kinds ...footy.KindInfo) ([]footy.Reading, error)
	// Look returns what each frame is, football or not and filmed off a screen or not, and leaves its clock out: a short
	// question, for clips whose clock is known.
	Look(ctx context.Context, frames []Frame, kinds ...footy.KindInfo) ([]footy.Reading, error)
	// Name of the model, for the evidence.
	Name() string
	// Ready answers whether a model is healthy now.
	Ready(ctx context.Context) error
	// Showing is what a question shows the model now.
	Showing() Showing
}

// Showing is what a question shows the model. It is less than the settings ask for while a larger question was refused or
// found no answer in time.
type Showing struct {
	Lines   int          `json:"lines"`             // height of a frame at most
	Corners bool         `json:"corners,omitempty"` // one more picture: the corners of the frames, enlarged
	Alone   bool         `json:"alone,omitempty"`   // a question for each frame
	Reduced footy.Reason `json:"reduced,omitempty"` // why it is less: model_context or model_slow; "" = it is all
}

// ConditionKey is where the model's condition lies in the store's service state.
const ConditionKey = "model_health"

// Condition is how the last questions to the model went. Asking it whether it is there does not tell: a text model and one
// with a small context are in perfect health until they get a picture.
type Condition struct {
	Reason         footy.Reason `json:"reason,omitempty"` // its trouble, model_... or no_model; "" = it answers
	Detail         string       `json:"detail,omitempty"` // what happened last, for operators
	Since          time.Time    `json:"since,omitzero"`   // when this trouble began
	Clips          int          `json:"clips,omitempty"`  // that met this trouble since
	OfOneClip      bool         `json:"of_one_clip,omitempty"`
	At             time.Time    `json:"at,omitzero"` // when it was asked last
	LastOK         time.Time    `json:"last_ok,omitzero"`
	SecondsPerClip float64      `json:"seconds_per_clip,omitempty"` // computing, smoothed; 0 = not known
	Showing        Showing      `json:"showing,omitzero"`           // what it was shown last
}

// smooth is the share of the newest clip in the time a clip takes: one odd clip moves it little, a new model within ten.
const smooth = 0.2

// OfOneClip reports whether a trouble may be that of one clip: the model is there and answers others, or its server breaks the connection
// off over this one. A server that is busy is that for every clip.
func OfOneClip(err error) bool {
	r := footy.ReasonOf(err)
	return r == footy.ReasonModelUnreachable && network.BrokenOff(err) || footy.CodeOf(err) != footy.CodeRateLimited &&
		slices.Contains([]footy.Reason{footy.ReasonModelError, footy.ReasonModelJunk, footy.ReasonModelContext, footy.ReasonModelThinks, footy.ReasonModelSlow}, r)
}

// Answered is the condition after a clip was read.
func (c Condition) Answered(took time.Duration, now time.Time) Condition {
	out := Condition{At: now, LastOK: now, SecondsPerClip: took.Seconds(), Showing: c.Showing}
	if c.SecondsPerClip > 0 {
		out.SecondsPerClip = c.SecondsPerClip + smooth*(took.Seconds()-c.SecondsPerClip)
	}
	return out
}

// Failed is the condition after a question that brought no verdict. Errors that name no trouble of the model (the caller
// gave up, a frame was empty) change nothing.
func (c Condition) Failed(err error, now time.Time) Condition {
	reason := footy.ReasonOf(err)
	if !reason.OfModel() {
		return c
	}
	if c.Reason != reason {
		c.Reason, c.Since, c.Clips = reason, now, 0
	}
	c.Clips++
	c.Detail, c.At, c.OfOneClip = footy.RootCause(err), now, OfOneClip(err)
	return c
}
