package validate

import (
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/footy"
)

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
