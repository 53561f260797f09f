// Package pipeline registers the workflows and activities on a worker and sets the schedules. What happens in them
// lies in the packages below; every decision lies in rule.
package pipeline

import (
	"github.com/found-footy/found-footy/internal/pipeline/alias"
	"github.com/found-footy/found-footy/internal/pipeline/canary"
	"github.com/found-footy/found-footy/internal/pipeline/cleanup"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/reels"
	"github.com/found-footy/found-footy/internal/pipeline/search"
	"github.com/found-footy/found-footy/internal/pipeline/upload"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// Activities are the doers of every workflow.
type Activities struct {
	Ingest   *ingest.Activities
	Monitor  *monitor.Activities
	Alias    *alias.Activities
	Search   *search.Activities
	Download *download.Activities
	Upload   *upload.Activities
	Canary   *canary.Activities
	Cleanup  *cleanup.Activities
	Reels    *reels.Activities
}

// Registry is the part of a worker that we need; the test environment has it too.
type Registry interface {
	worker.WorkflowRegistry
	worker.ActivityRegistry
}

// Workflows registers the workflow types under their public names.
func Workflows(r worker.WorkflowRegistry) {
	for name, w := range map[string]any{
		policy.IngestWorkflow:   ingest.Workflow,
		policy.MonitorWorkflow:  monitor.Workflow,
		policy.AliasWorkflow:    alias.Workflow,
		policy.TwitterWorkflow:  search.Workflow,
		policy.DownloadWorkflow: download.Workflow,
		policy.UploadWorkflow:   upload.Workflow,
		policy.CanaryWorkflow:   canary.Workflow,
		policy.ReelWorkflow:     reels.Workflow,
	} {
		r.RegisterWorkflowWithOptions(w, workflow.RegisterOptions{Name: name})
	}
}

// RegisterSearch puts on r the activities of the search queue, for a process that polls no other.
func RegisterSearch(r worker.ActivityRegistry, s *search.Activities, c *canary.Activities) {
	for name, f := range map[policy.Activity]any{policy.Search: s.Search, policy.RunCanary: c.Run} {
		r.RegisterActivityWithOptions(f, activity.RegisterOptions{Name: string(name)})
	}
}

// Register puts all activities on r under the names of policy.
func (a Activities) Register(r worker.ActivityRegistry) {
	for name, f := range map[policy.Activity]any{
		policy.StoreDay:         a.Ingest.StoreDay,
		policy.FetchByIDs:       a.Ingest.FetchByIDs,
		policy.MissingAliases:   a.Ingest.Missing,
		policy.Cleanup:          a.Cleanup.Fixtures,
		policy.PlanCycle:        a.Monitor.Plan,
		policy.PollChunk:        a.Monitor.Poll,
		policy.Decide:           a.Monitor.Decide,
		policy.Reconcile:        a.Monitor.Reconcile,
		policy.Sweep:            a.Cleanup.Sweep,
		policy.CachedAliases:    a.Alias.Cached,
		policy.ResolveAliases:   a.Alias.Resolve,
		policy.SaveAliases:      a.Alias.Save,
		policy.BeginSearch:      a.Search.Begin,
		policy.Search:           a.Search.Search,
		policy.NoteUntaken:      a.Search.Untaken,
		policy.EndSearch:        a.Search.End,
		policy.RegisterDownload: a.Download.Register,
		policy.DownloadVideo:    a.Download.Download,
		policy.Validate:         a.Download.Validate,
		policy.QueueUpload:      a.Download.Queue,
		policy.UploadVideos:     a.Upload.Upload,
		policy.CleanupCopies:    a.Cleanup.Copies,
		policy.MarkComplete:     a.Upload.Mark,
		policy.RunCanary:        a.Canary.Run,
		policy.SaveCanary:       a.Canary.Save,
		policy.PlanReel:         a.Reels.Plan,
		policy.MakePiece:        a.Reels.Piece,
		policy.JoinReel:         a.Reels.Join,
	} {
		r.RegisterActivityWithOptions(f, activity.RegisterOptions{Name: string(name)})
		if former := policy.FormerName(name); former != "" {
			r.RegisterActivityWithOptions(f, activity.RegisterOptions{Name: former})
		}
	}
}
