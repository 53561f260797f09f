package store

import (
	"errors"
	"time"
)

// ErrUnchanged is what a change returns when there is nothing to write: Update and Advance return what they read.
var ErrUnchanged = errors.New("unchanged")

const (
	// patience bounds how long one Update starts over while others keep writing the same document.
	patience = 30 * time.Second
	// maxPause bounds the wait between two tries.
	maxPause = 100 * time.Millisecond
)

// documents is the store over any backend.
type documents struct {
	Backend
	damages
}

// New makes the store of a backend. Closing the store closes the backend.
func New(backend Backend) Store {
	s := &documents{}
	s.Backend = watched{backend, &s.damages}
	return s
}
