// Package policy holds what the workflows have in common: the names that Temporal knows (queues, workflows, activities, schedules,
// signals), the options of each activity, and the intervals of a search round (Timing). Workflow code gets intervals through its
// input, so that a running workflow never changes its mind when a setting does.
package policy

import "time"

// Task queues. Several processes may poll each, except vision: one process, so that the model's slots are counted once. The search
// queue is polled by the browsers, each with the tabs and the budget of its own account.
const (
	QueueMain   = "found-footy"
	QueueSearch = "found-footy-search"
	QueueMedia  = "found-footy-media"
	QueueVision = "found-footy-vision"
)

// Queues lists all task queues.
func Queues() []string { return []string{QueueMain, QueueSearch, QueueMedia, QueueVision} }

// Workflow types, under their public names.
const (
	IngestWorkflow   = "IngestWorkflow"
	MonitorWorkflow  = "MonitorWorkflow"
	AliasWorkflow    = "RAGWorkflow" // looks up what people call a team
	TwitterWorkflow  = "TwitterWorkflow"
	DownloadWorkflow = "DownloadWorkflow"
	UploadWorkflow   = "UploadWorkflow"
	CanaryWorkflow   = "CanaryWorkflow"
	ReelWorkflow     = "ReelWorkflow"
)

// Schedules and the workflow ids they start (Temporal appends the time).
const (
	ScheduleIngest  = "ingest-daily"
	ScheduleMonitor = "monitor-every-30s"
	ScheduleCanary  = "canary-every-6h"
	IngestID        = "ingest-scheduled"
	MonitorID       = "monitor-scheduled"
	CanaryID        = "canary-scheduled"
)

// RunTimeout bounds one run of a workflow type: what is longer under way than that hangs, and is begun again from the ledger. It
// is never scaled.
func RunTimeout(workflowType string) time.Duration {
	switch workflowType {
	case MonitorWorkflow:
		return 3 * time.Minute // the next cycle waits for it
	case TwitterWorkflow:
		return 2 * time.Hour // a login may be waited for longer: then it is begun again
	case DownloadWorkflow:
		return 3 * time.Hour // five clips at a slow model
	case UploadWorkflow:
		return 6 * time.Hour // one per event, alive while Downloads come
	case ReelWorkflow:
		return 3 * time.Hour // it may wait for others, and for a disk or a clip store that is away
	}
	return time.Hour // Ingest, aliases, Canary: minutes
}

// Signals.
const (
	SignalAddVideos = "add_videos" // Download -> Upload: one Download has ended
	SignalCorrected = "corrected"  // Monitor -> running Twitter: the event opened a new round
)
