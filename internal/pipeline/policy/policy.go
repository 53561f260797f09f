// Package policy holds what the workflows have in common: the names that Temporal knows (queues, schedules, signals), how
// workflows and activities are defined, run and started, and the intervals of a search round (Timing). Workflow code gets intervals through its
// input, so that a running workflow never changes its mind when a setting does.
package policy

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

// Schedules and the workflow ids they start (Temporal appends the time).
const (
	ScheduleIngest  = "ingest-daily"
	ScheduleMonitor = "monitor-every-30s"
	ScheduleCanary  = "canary-every-6h"
	IngestID        = "ingest-scheduled"
	MonitorID       = "monitor-scheduled"
	CanaryID        = "canary-scheduled"
)

// Signals.
const (
	SignalAddVideos = "add_videos" // Download -> Upload: one Download has ended
	SignalCorrected = "corrected"  // Monitor -> running Twitter: the event opened a new round
)
