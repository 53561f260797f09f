package policy

import (
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// Activity names a unit of work; names are those operators know from the seeds' documents.
type Activity string

// The activities. ARCHITECTURE.md maps each seed activity to the one that does its work here.
const (
	StoreDay         Activity = "categorize_and_store_fixtures"
	FetchByIDs       Activity = "fetch_fixtures_by_ids"
	Cleanup          Activity = "cleanup_old_fixtures"
	MissingAliases   Activity = "find_missing_aliases"
	PlanCycle        Activity = "pre_activate_upcoming_fixtures"
	PollChunk        Activity = "store_and_compare"
	Decide           Activity = "process_fixture_events"
	Reconcile        Activity = "check_twitter_workflow_running"
	CachedAliases    Activity = "get_cached_team_aliases"
	ResolveAliases   Activity = "get_team_aliases"
	SaveAliases      Activity = "save_team_aliases"
	BeginSearch      Activity = "set_monitor_complete"
	Search           Activity = "execute_twitter_search"
	EndSearch        Activity = "get_download_workflow_count"
	RegisterDownload Activity = "register_download_workflow"
	DownloadVideo    Activity = "download_single_video"
	Validate         Activity = "validate_video_is_soccer"
	QueueUpload      Activity = "queue_videos_for_upload"
	UploadVideos     Activity = "upload_single_video"
	SaveVideos       Activity = "save_video_objects"
	CleanupLosers    Activity = "cleanup_individual_files"
	MarkComplete     Activity = "check_and_mark_download_complete"
	RunCanary        Activity = "run_canary"
	SaveCanary       Activity = "save_canary"
)

type row struct {
	queue     string
	timeout   time.Duration // start to close of one try
	heartbeat time.Duration // 0 = none
	attempts  int32
	initial   time.Duration
	factor    float64
	budget    time.Duration // all tries together; 0 = as the retries allow
	why       string
}

func table() map[Activity]row {
	const s = time.Second
	return map[Activity]row{
		StoreDay:         {QueueMain, 60 * s, 0, 3, s, 2, 0, "one vendor call and one write per tracked fixture"},
		FetchByIDs:       {QueueMain, 30 * s, 0, 3, s, 2, 0, "one vendor call"},
		Cleanup:          {QueueMain, 120 * s, 60 * s, 2, s, 2, 0, "walks old fixtures and their bytes"},
		MissingAliases:   {QueueMain, 30 * s, 0, 3, s, 2, 0, "reads the cache once per team"},
		PlanCycle:        {QueueMain, 30 * s, 0, 2, s, 2, 0, "reads the open fixtures; the next cycle comes anyway"},
		PollChunk:        {QueueMain, 15 * s, 0, 2, s, 2, 25 * s, "one vendor call of 10 s at most and one bulk write"},
		Decide:           {QueueMain, 60 * s, 0, 3, s, 2, 0, "one write per changed fixture"},
		Reconcile:        {QueueMain, 60 * s, 0, 2, s, 2, 0, "asks Temporal about open searches only"},
		CachedAliases:    {QueueMain, 30 * s, 0, 3, 2 * s, 2, 0, "one read"},
		ResolveAliases:   {QueueMain, 90 * s, 0, 3, 5 * s, 2, 0, "Wikidata and perhaps a model"},
		SaveAliases:      {QueueMain, 30 * s, 0, 2, s, 2, 0, "one write"},
		BeginSearch:      {QueueMain, 30 * s, 0, 5, 2 * s, 2, 0, "proves that the search runs: try hard"},
		Search:           {QueueSearch, 60 * s, 20 * s, 3, 10 * s, 1.5, 0, "a browser search takes 11-30 s"},
		EndSearch:        {QueueMain, 30 * s, 0, 5, 2 * s, 2, 0, "closes the round: try hard"},
		RegisterDownload: {QueueMain, 30 * s, 0, 5, s, 2, 0, "the attempt counts from here; hands an empty batch over at once: try hard"},
		DownloadVideo:    {QueueMedia, 180 * s, 30 * s, 3, 2 * s, 2, 0, "90 s for the bytes, the rest for probe and decode"},
		Validate:         {QueueVision, 15 * time.Minute, 30 * s, 4, 3 * s, 2, 0, "a batch; the client heartbeats every few seconds while it waits and computes"},
		QueueUpload:      {QueueMain, 60 * s, 0, 3, s, 2, 0, "signal-with-start"},
		UploadVideos:     {QueueMedia, time.Hour, 120 * s, 5, 2 * s, 2, 0, "moves a batch's bytes, then saves it: try hard; slow storage heartbeats"},
		SaveVideos:       {QueueMain, 60 * s, 0, 5, s, 2, 0, "one atomic write: try hard"},
		CleanupLosers:    {QueueMain, 60 * s, 0, 3, s, 2, 0, "deletes bytes of retired copies"},
		RunCanary:        {QueueSearch, 90 * s, 0, 2, 30 * s, 2, 0, "one browser search; the workflow looks again later"},
		SaveCanary:       {QueueMain, 30 * s, 0, 5, s, 2, 0, "one write; an alert depends on it: try hard"},
		MarkComplete:     {QueueMain, 30 * s, 0, 3, s, 2, 0, "one read, rarely a write"},
	}
}

// Why gives the reason of an activity's numbers, for documents and tests.
func Why(a Activity) string { return table()[a].why }

// Activities lists every activity with a row.
func Activities() []Activity {
	out := make([]Activity, 0, len(table()))
	for a := range table() { //workflowcheck:ignore
		out = append(out, a)
	}
	return out
}

// Options returns the activity options of a. summary is what the Temporal UI shows on the row.
func Options(a Activity, summary string) workflow.ActivityOptions {
	r := table()[a]
	return workflow.ActivityOptions{
		TaskQueue:           r.queue,
		StartToCloseTimeout: r.timeout,
		HeartbeatTimeout:    r.heartbeat,
		// A vendor that asks for a minute's patience must not hold up the cycle: the next one comes anyway.
		ScheduleToCloseTimeout: r.budget,
		Summary:                summary,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    r.initial,
			BackoffCoefficient: r.factor,
			MaximumInterval:    time.Minute,
			MaximumAttempts:    r.attempts,
		},
	}
}

// Do runs activity a with its options and decodes its result into out (nil: none).
func Do(ctx workflow.Context, a Activity, summary string, in, out any) error {
	ctx = workflow.WithActivityOptions(ctx, Options(a, summary))
	return workflow.ExecuteActivity(ctx, string(a), in).Get(ctx, out)
}

// Start begins activity a and returns its future.
func Start(ctx workflow.Context, a Activity, summary string, in any) workflow.Future {
	return workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, Options(a, summary)), string(a), in)
}
