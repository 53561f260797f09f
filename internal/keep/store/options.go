package store

import (
	"errors"
	"time"
)

// ErrUnchanged is what a change returns when there is nothing to write: Update and Advance return what they read.
var ErrUnchanged = errors.New("unchanged")

// Options of the store; zero values take the defaults.
type Options struct {
	// Patience bounds how long one Update starts over while others keep writing the same document.
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
	damages
	opts Options
}

// New makes the store of a backend. Closing the store closes the backend.
func New(backend Backend, opts Options) Store {
	return &documents{Backend: backend, opts: opts.withDefaults()}
}
