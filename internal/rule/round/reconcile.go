package round

import (
	"slices"
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
func PlanSearch(e *footy.Event, status WorkflowStatus, searches int, w Window, now time.Time) SearchPlan {
	switch {
	case e.DownloadComplete || !e.SearchTakenUp || !e.SearchEndedAt.IsZero() || status == Running:
		return SearchLeave
	case status != Done && len(e.RegisteredBatches) < searches && !w.Over(e, now):
		return SearchRestart
	}
	return SearchEnd
}

// NeedsBatch reports whether posts that are due and free need a batch of their own: one for posts that are tried again is open at
// a time, and takes them all. Batches of searches may be held up for hours by a slow model.
func NeedsBatch(e *footy.Event, free int) bool {
	return free > 0 && !slices.ContainsFunc(e.Batches, func(b footy.Batch) bool { return b.Try == 0 })
}
