package round

import (
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// WorkflowStatus is how a workflow is doing.
type WorkflowStatus string

// The statuses that are told apart.
const (
	Running WorkflowStatus = "running"
	Done    WorkflowStatus = "done" // returned a result
	Dead    WorkflowStatus = "dead" // failed, terminated, timed out, cancelled
	Missing WorkflowStatus = "missing"
)

// SearchPlan says what to do about an event's search.
type SearchPlan string

// What can be done about a search.
const (
	SearchLeave   SearchPlan = ""        // it runs, is over, or was never begun
	SearchRestart SearchPlan = "restart" // it died and its time is not up
	SearchEnd     SearchPlan = "end"     // it is gone and its time is up
)

// PlanSearch decides about the search of a certain event that stands. status is that of the workflow that took it up.
func (l Limits) PlanSearch(e *footy.Event, status WorkflowStatus, now time.Time) SearchPlan {
	if e.DownloadComplete || !e.Round.TakenUp() || !e.Round.EndedAt.IsZero() || status == Running {
		return SearchLeave
	}
	if _, over := l.Over(e, now); over || status == Done {
		return SearchEnd
	}
	return SearchRestart
}
