// Package pipeline registers the workflows and activities on a worker and sets the schedules. What happens in them
// lies in the packages below; every decision lies in rule.
package pipeline

import (
	"github.com/found-footy/found-footy/internal/pipeline/acquire"
	"github.com/found-footy/found-footy/internal/pipeline/alias"
	"github.com/found-footy/found-footy/internal/pipeline/canary"
	"github.com/found-footy/found-footy/internal/pipeline/discover"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/publish"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// Activities are the doers of every workflow.
type Activities struct {
	Ingest   *ingest.Activities
	Monitor  *monitor.Activities
	Alias    *alias.Activities
	Discover *discover.Activities
	Acquire  *acquire.Activities
	Publish  *publish.Activities
	Canary   *canary.Activities
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
		policy.RAGWorkflow:      alias.Workflow,
		policy.TwitterWorkflow:  discover.Workflow,
		policy.DownloadWorkflow: acquire.Workflow,
		policy.UploadWorkflow:   publish.Workflow,
		policy.CanaryWorkflow:   canary.Workflow,
	} {
		r.RegisterWorkflowWithOptions(w, workflow.RegisterOptions{Name: name})
	}
}

// Register puts all activities on r under the names of policy.
func (a Activities) Register(r worker.ActivityRegistry) {
	for name, f := range map[policy.Activity]any{
		policy.StoreDay:         a.Ingest.StoreDay,
		policy.FetchByIDs:       a.Ingest.FetchByIDs,
		policy.MissingAliases:   a.Ingest.Missing,
		policy.Cleanup:          a.Ingest.Cleanup,
		policy.PlanCycle:        a.Monitor.Plan,
		policy.PollChunk:        a.Monitor.Poll,
		policy.Decide:           a.Monitor.Decide,
		policy.Reconcile:        a.Monitor.Reconcile,
		policy.CachedAliases:    a.Alias.Cached,
		policy.ResolveAliases:   a.Alias.Resolve,
		policy.SaveAliases:      a.Alias.Save,
		policy.BeginSearch:      a.Discover.Begin,
		policy.Search:           a.Discover.Search,
		policy.EndSearch:        a.Discover.End,
		policy.RegisterDownload: a.Acquire.Register,
		policy.DownloadVideo:    a.Acquire.Download,
		policy.Validate:         a.Acquire.Validate,
		policy.QueueUpload:      a.Acquire.Queue,
		policy.UploadVideos:     a.Publish.Upload,
		policy.SaveVideos:       a.Publish.Save,
		policy.CleanupLosers:    a.Publish.Cleanup,
		policy.MarkComplete:     a.Publish.Mark,
		policy.RunCanary:        a.Canary.Run,
		policy.SaveCanary:       a.Canary.Save,
	} {
		r.RegisterActivityWithOptions(f, activity.RegisterOptions{Name: string(name)})
	}
}
