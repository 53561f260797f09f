package footy

import "time"

// Attempt is one batch of an event: the candidates of one usable search, or media whose verdict is still owed.
// It stays with the event until its batch is settled, so that a crash at any moment loses nothing.
type Attempt struct {
	Download   string      `json:"download"`      // workflow id; also the batch's key
	Round      int         `json:"round"`         // of the event
	Try        int         `json:"try,omitempty"` // number of the search in its round; 0 = a batch offered again
	At         time.Time   `json:"at"`            // when the number was given
	Candidates []Candidate `json:"candidates,omitempty"`
	Media      []Media     `json:"media,omitempty"` // already downloaded: only the verdict is owed
	Owed       bool        `json:"owed,omitempty"`  // settled without verdicts; offered again once a model is healthy
}
