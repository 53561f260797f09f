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
	SearchRestart SearchPlan = "restart" // it is gone and its time is not up
	SearchEnd     SearchPlan = "end"     // it is gone and its time is up
)

// PlanSearch decides about the search of a certain event that stands. status is that of the workflow that took it up, or that is to. One
// that returned without closing the round, or without taking it up, ran before the state was restored from a backup.
func (l Limits) PlanSearch(e *footy.Event, status WorkflowStatus, now time.Time) SearchPlan {
	if e.DownloadComplete || !e.Round.EndedAt.IsZero() || status == Running {
		return SearchLeave
	}
	if !e.Round.TakenUp() {
		if status == Done { // the engine starts nothing under that id
			return SearchRestart
		}
		return SearchLeave
	}
	if _, over := l.Over(e, now); over {
		return SearchEnd
	}
	return SearchRestart
}
