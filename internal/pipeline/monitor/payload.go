package monitor

import "github.com/found-footy/found-footy/internal/pipeline/policy"

// Plan says whom to ask in this cycle.
type Plan struct {
	Chunks    [][]int64 `json:"chunks"`
	Activated int       `json:"activated"` // moved to active because kickoff is near
	Open      bool      `json:"open"`      // there is something that reconcile should look at
}

// Chunk is one by-id call.
type Chunk struct {
	Poll string  `json:"poll"`
	IDs  []int64 `json:"ids"`
}

// Polled is what the decide step needs to know of a chunk: ids and counts, never payloads.
type Polled struct {
	Answered  int       `json:"answered"`
	Changed   []int64   `json:"changed,omitempty"`   // a decision is due
	Regressed []int64   `json:"regressed,omitempty"` // went back in score, phase, clock or known fields
	Vanished  int       `json:"vanished,omitempty"`  // confirmed goals that are gone
	Failed    []Failure `json:"failed,omitempty"`
}

// Failure is one fixture's failed poll.
type Failure struct {
	ID  int64  `json:"id"`
	Why string `json:"why"`
}

// Decide asks for decisions on one poll.
type Decide struct {
	Poll       string    `json:"poll"`
	Changed    []int64   `json:"changed"`
	Regressed  []int64   `json:"regressed,omitempty"`
	Failed     []Failure `json:"failed,omitempty"`
	Distrusted bool      `json:"distrusted,omitempty"`
	Why        string    `json:"why,omitempty"`
}

// Reconcile asks what earlier runs left behind.
type Reconcile struct {
	Poll   string        `json:"poll"`
	Timing policy.Timing `json:"timing"`
}

// Todo is what the workflow has to start.
type Todo struct {
	Searches  []Search `json:"searches,omitempty"`
	Downloads []Owed   `json:"downloads,omitempty"`
	Completed int      `json:"completed,omitempty"`
	Failed    int      `json:"failed,omitempty"`
}

// Search is a search to start. Running is the workflow that searched an earlier round; if it still runs it is told.
type Search struct {
	FixtureID  int64  `json:"fixture_id"`
	EventUID   string `json:"event_uid"`
	WorkflowID string `json:"workflow_id"`
	Running    string `json:"running,omitempty"`
	Label      string `json:"label"`
}

// Owed is a batch to start again because its verdicts are owed.
type Owed struct {
	FixtureID int64  `json:"fixture_id"`
	EventUID  string `json:"event_uid"`
	Download  string `json:"download"`
	Label     string `json:"label"`
}
