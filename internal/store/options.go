package store

import (
	"errors"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// ErrUnchanged is what a change returns when there is nothing to write: Update returns the fixture as read, and Move
// leaves it where it is.
var ErrUnchanged = errors.New("unchanged")

// Options of the store; zero values take the defaults.
type Options struct {
	// Patience bounds how long one Update or Move starts over while others keep writing the same fixture.
	Patience time.Duration
	// MaxPause bounds the wait between two tries.
	MaxPause time.Duration
}

func (o Options) withDefaults() Options {
	if o.Patience <= 0 {
		o.Patience = 30 * time.Second
	}
	if o.MaxPause <= 0 {
		o.MaxPause = 100 * time.Millisecond
	}
	return o
}

// documents is the store over any backend.
type documents struct {
	Backend
	opts Options
}

// New makes the store of a backend. Closing the store closes the backend.
func New(backend Backend, opts Options) Store {
	return &documents{Backend: backend, opts: opts.withDefaults()}
}

// collectionOf names the collection of a stage.
func collectionOf(s footy.Stage) (Collection, error) {
	switch s {
	case footy.StageStaging:
		return FixturesStaging, nil
	case footy.StageActive:
		return FixturesActive, nil
	case footy.StageCompleted:
		return FixturesCompleted, nil
	}
	return "", footy.Errorf(footy.CodeInvalid, "name collection", "there is no stage %q", s)
}
