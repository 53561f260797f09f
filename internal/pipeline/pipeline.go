// Package pipeline registers the workflows and activities on a worker and sets the schedules. What happens in them
// lies in the packages below; every decision lies in rule.
package pipeline

import (
	"context"
	"time"

	"go.temporal.io/sdk/worker"

	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/pipeline/footage"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/ingest/alias"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/search"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/canary"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
	"github.com/found-footy/found-footy/internal/pipeline/upload"
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
}

// Part is what an extra adds to a worker.
type Part struct {
	Workflows  []WorkflowType
	Activities []policy.Registration
	Footage    footage.Known                                  // of at most one extra; nil: nothing
	Sweep      func(ctx context.Context, now time.Time) error // after the core's own, also where that failed; nil: nothing
	Run        func(ctx context.Context)                      // until the worker is told to stop; nil: nothing
}

// WorkflowType is one type of workflow: its public name, and how long one run may last.
type WorkflowType interface {
	Name() string
	Limit() time.Duration
	Register(on worker.WorkflowRegistry)
}

// WorkflowTypes are all of them.
func WorkflowTypes() []WorkflowType {
	return []WorkflowType{ingest.Workflow, monitor.Workflow, alias.Workflow, search.Workflow, search.AheadWorkflow, download.Workflow,
		upload.Workflow, canary.Workflow}
}

// Workflows registers them, and those of parts.
func Workflows(r worker.WorkflowRegistry, parts ...Part) {
	all := WorkflowTypes()
	for _, p := range parts {
		all = append(all, p.Workflows...)
	}
	for _, w := range all {
		w.Register(r)
	}
}

// RegisterSearch puts on r the activities of the search queue, for a process that polls no other.
func RegisterSearch(r worker.ActivityRegistry, s *search.Activities, c *canary.Activities) {
	search.Search.By(s.Search).Register(r)
	search.SearchAhead.By(s.Ahead).Register(r)
	policy.ByAlone(canary.RunCanary, c.Run).Register(r)
}

// All are the activities with the functions that do them.
func (a Activities) All() []policy.Registration {
	return []policy.Registration{
		ingest.StoreDay.By(a.Ingest.StoreDay),
		ingest.FetchByIDs.By(a.Ingest.FetchByIDs),
		policy.ByAlone(ingest.MissingAliases, a.Ingest.Missing),
		policy.ByAlone(cleanup.Cleanup, a.Cleanup.Fixtures),
		monitor.PlanCycle.By(a.Monitor.Plan),
		monitor.PollChunk.By(a.Monitor.Poll),
		monitor.Decide.By(a.Monitor.Decide),
		monitor.Reconcile.By(a.Monitor.Reconcile),
		policy.ByQuiet(cleanup.Sweep, a.Cleanup.Sweep),
		alias.ResolveAliases.By(a.Alias.Resolve),
		search.BeginSearch.By(a.Search.Begin),
		search.Search.By(a.Search.Search),
		search.NoteUntaken.By(a.Search.Untaken),
		search.SearchAhead.By(a.Search.Ahead),
		policy.ByQuiet(search.EndSearch, a.Search.End),
		download.RegisterDownload.By(a.Download.Register),
		download.DownloadVideo.By(a.Download.Download),
		download.Validate.By(a.Download.Validate),
		policy.ByQuiet(download.QueueUpload, a.Download.Queue),
		upload.UploadVideos.By(a.Upload.Upload),
		policy.ByQuiet(upload.CleanupCopies, a.Upload.Copies),
		upload.MarkComplete.By(a.Upload.Mark),
		policy.ByAlone(canary.RunCanary, a.Canary.Run),
		policy.ByQuiet(canary.SaveCanary, a.Canary.Save),
	}
}

// Register puts all activities on r, and those of parts.
func (a Activities) Register(r worker.ActivityRegistry, parts ...Part) {
	all := a.All()
	for _, p := range parts {
		all = append(all, p.Activities...)
	}
	for _, each := range all {
		each.Register(r)
	}
}

// LongestHeartbeat is how long it takes at most until the engine gives a task to another whose worker is silent.
func LongestHeartbeat() (longest time.Duration) {
	for _, each := range (Activities{}).All() {
		longest = max(longest, each.Row.Heartbeat)
	}
	return longest
}
