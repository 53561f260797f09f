package footy

import (
	"fmt"
	"time"
)

// Batch is a set of posts that one DownloadWorkflow drives. It stays with the event until it is settled, so that a crash
// at any moment loses nothing; which posts it has is written in the ledger.
type Batch struct {
	Key        string    `json:"key"` // the workflow's id of its first generation
	Round      int       `json:"round"`
	Try        int       `json:"try,omitempty"` // number of the search in its round; 0 = posts tried again
	At         time.Time `json:"at"`            // when the key was given, or the last generation was asked for
	Generation int       `json:"generation,omitempty"`
}

// WorkflowID is the id that the batch's present generation runs under.
func (b Batch) WorkflowID() string { return Generation(b.Key, b.Generation) }

// Generation is a workflow's id after n restarts.
func Generation(id string, n int) string {
	if n == 0 {
		return id
	}
	return fmt.Sprintf("%s-g%d", id, n+1)
}
