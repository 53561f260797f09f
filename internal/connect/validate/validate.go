// Package validate is the port to what reads the pictures of a clip, and keeps how that does. It only says what can be seen;
// recognize/clock decides what that proves. Fail closed: no reading, no verdict, no clip.
package validate

import (
	"context"

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
	// compute limit.
	Read(ctx context.Context, frames []Frame) ([]footy.Reading, error)
	// Look returns what each frame is, football or not and filmed off a screen or not, and leaves its clock out: a short
	// question, for clips whose clock is known.
	Look(ctx context.Context, frames []Frame) ([]footy.Reading, error)
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
