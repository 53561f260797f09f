package footy

import (
	"fmt"
	"time"
)

// Round is one round of searches for an event. It opens when the event becomes certain, when its scorer is corrected, when it
// stands again, or because an operator asks. Which posts it found is written in the ledger.
type Round struct {
	Number     int       `json:"number"`                // from 1
	OpenedAt   time.Time `json:"opened_at"`             // its window counts from here
	Scorer     string    `json:"scorer"`                // whom it searches for
	EventID    string    `json:"event_id"`              // the event's public id when it was opened
	Workflow   string    `json:"workflow"`              // id of its TwitterWorkflow: minted once, afterwards only read
	Generation int       `json:"generation,omitempty"`  // how often its search died and was begun again
	TakenUpBy  string    `json:"taken_up_by,omitempty"` // the TwitterWorkflow that searches: its first act
	Before     string    `json:"before,omitempty"`      // until it is taken up: the search of the round before, which may still run

	Tries      int       `json:"tries,omitempty"`      // searches made, usable or not
	Searches   int       `json:"searches,omitempty"`   // usable ones
	SearchedAt time.Time `json:"searched_at,omitzero"` // last search that was answered
	Blocked    Blocked   `json:"blocked,omitzero"`

	EndedAt time.Time `json:"ended_at,omitzero"` // no further search comes
	End     Reason    `json:"end,omitempty"`     // why it ended short of its searches; "" if it did not
}

// Blocked is time in which nobody could search. It does not count against the round's window.
type Blocked struct {
	Since time.Time     `json:"since,omitzero"`     // set while nobody can
	By    string        `json:"by,omitempty"`       // what the search service said
	Total time.Duration `json:"total_ns,omitempty"` // up to Since
}

// TakenUp reports whether the round's search runs or ran.
func (r Round) TakenUp() bool { return r.TakenUpBy != "" }

// Generation is a workflow's id after n restarts.
func Generation(id string, n int) string {
	if n == 0 {
		return id
	}
	return fmt.Sprintf("%s-g%d", id, n+1)
}
