package footy

import "time"

// SecondState is what came of asking a second feed about a match.
type SecondState string

// What comes of it. Only an answer says anything about goals.
const (
	SecondAnswered    SecondState = "answered"
	SecondNoMatch     SecondState = "no_match"    // it does not have the match
	SecondAmbiguous   SecondState = "ambiguous"   // two of its matches may be the one
	SecondUnreachable SecondState = "unreachable" // it could not be asked, or what it answered cannot be read
)

// SecondAnswer is what a second feed says of a match, in the ids of the feed in charge. Players have no id: the feeds share none.
type SecondAnswer struct {
	Feed     string      `json:"feed"` // its name for people
	State    SecondState `json:"state"`
	Why      string      `json:"why,omitempty"` // it could not be asked
	Score    Score       `json:"goals,omitzero"`
	Events   []FeedEvent `json:"events,omitempty"`
	Answered time.Time   `json:"answered,omitzero"`
}

// SecondSight is what a second feed says of an event.
type SecondSight struct {
	FirstSeen time.Time `json:"first_seen,omitzero"`
	Polls     []string  `json:"polls,omitempty"`  // ids of the polls in which it alone told of the event
	Missed    int       `json:"missed,omitempty"` // answers in a row without an event that it alone told of
	Lacked    bool      `json:"lacked,omitempty"` // it answered before without this event
	Says      Reason    `json:"says,omitempty"`   // what the log told of it last
}
