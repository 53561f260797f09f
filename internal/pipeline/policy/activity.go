package policy

import (
	"errors"
	"fmt"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// Activity names a unit of work, as the founding documents (what the product was built from) did: operators know these names.
type Activity string

// The activities; docs/activities.md says what each does.
const (
	StoreDay         Activity = "categorize_and_store_fixtures"
	FetchByIDs       Activity = "fetch_fixtures_by_ids"
	Cleanup          Activity = "cleanup_old_fixtures"
	MissingAliases   Activity = "find_missing_aliases"
	PlanCycle        Activity = "pre_activate_upcoming_fixtures"
	PollChunk        Activity = "store_and_compare"
	Decide           Activity = "process_fixture_events"
	Reconcile        Activity = "reconcile"
	CachedAliases    Activity = "get_cached_team_aliases"
	ResolveAliases   Activity = "get_team_aliases"
	SaveAliases      Activity = "save_team_aliases"
	BeginSearch      Activity = "set_monitor_complete"
	Search           Activity = "execute_twitter_search"
	NoteUntaken      Activity = "note_untaken_search"
	EndSearch        Activity = "end_search"
	RegisterDownload Activity = "register_download_workflow"
	DownloadVideo    Activity = "download_single_video"
	Validate         Activity = "validate_video_is_soccer"
	QueueUpload      Activity = "queue_videos_for_upload"
	UploadVideos     Activity = "upload_single_video"
	CleanupCopies    Activity = "cleanup_individual_files"
	MarkComplete     Activity = "check_and_mark_download_complete"
	RunCanary        Activity = "run_canary"
	SaveCanary       Activity = "save_canary"
	Sweep            Activity = "sweep_leftovers"
	PlanReel         Activity = "plan_reel"
	MakePiece        Activity = "make_reel_piece"
	JoinReel         Activity = "join_reel"
)

// FormerName is the name that an activity had before, "" if none; workers answer to it until no open history holds it.
func FormerName(a Activity) string {
	return map[Activity]string{
		Reconcile: "check_twitter_workflow_running",
		EndSearch: "get_download_workflow_count",
	}[a]
}

// forever is the number of tries of what only our own store and bucket can fail: no limit but the run's time-out. A try costs
// nothing while they are away, and giving up would lose work.
const forever = 0

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
		StoreDay:         {QueueMain, 60 * s, 0, 3, s, 2, 4 * time.Minute, "one vendor call and one write per tracked fixture; a plan whose calls are used up until midnight must not hold up the other days"},
		FetchByIDs:       {QueueMain, 30 * s, 0, 3, s, 2, 2 * time.Minute, "one vendor call per 20 fixtures; a person waits for it"},
		Cleanup:          {QueueMain, 30 * time.Minute, 60 * s, 5, 10 * s, 2, 0, "walks old fixtures and their bytes; heartbeats per fixture, tomorrow goes on"},
		MissingAliases:   {QueueMain, 30 * s, 0, 3, s, 2, 0, "reads the cache once per team"},
		PlanCycle:        {QueueMain, 30 * s, 0, 2, s, 2, 0, "reads the open fixtures; the next cycle comes anyway"},
		PollChunk:        {QueueMain, 15 * s, 0, 2, s, 2, 25 * s, "one vendor call of 10 s at most and one bulk write"},
		Decide:           {QueueMain, 90 * s, 20 * s, 3, s, 2, 0, "one write per changed fixture, a heartbeat each"},
		Reconcile:        {QueueMain, 90 * s, 30 * s, 2, s, 2, 0, "asks Temporal about open searches and batches only; the next cycle comes anyway"},
		Sweep:            {QueueMain, 90 * s, 30 * s, 2, s, 2, 0, "deletes what nothing refers to; the next sweep comes anyway"},
		CachedAliases:    {QueueMain, 30 * s, 0, 3, 2 * s, 2, 0, "one read"},
		ResolveAliases:   {QueueMain, 90 * s, 0, 3, 5 * s, 2, 0, "Wikidata and perhaps a model"},
		SaveAliases:      {QueueMain, 30 * s, 0, forever, s, 2, 0, "one write"},
		BeginSearch:      {QueueMain, 30 * s, 0, forever, s, 2, 0, "proves that the search runs"},
		Search:           {QueueSearch, 100 * s, 20 * s, forever, 2 * s, 2, 0, "a browser search takes 11-30 s and its client gives up after 90; a service that does not answer is an answer, so only our store is retried"},
		NoteUntaken:      {QueueMain, 30 * s, 0, forever, s, 2, 0, "one write, and a look at who searches"},
		EndSearch:        {QueueMain, 30 * s, 0, forever, s, 2, 0, "closes the round"},
		RegisterDownload: {QueueMain, 30 * s, 0, forever, s, 2, 0, "the search counts from here; hands an empty batch over at once"},
		DownloadVideo:    {QueueMedia, 6 * time.Minute, 30 * s, forever, 2 * s, 2, 0, "90 s for the bytes, up to 3 min for a decode that a busy machine slows; what fails outside our store is written into the ledger"},
		Validate:         {QueueVision, 15 * time.Minute, 30 * s, forever, 2 * s, 2, 0, "some clips of a batch; each verdict is kept as it comes, so a retry goes on where it stopped"},
		QueueUpload:      {QueueMain, 60 * s, 0, forever, s, 2, 0, "signal-with-start"},
		UploadVideos:     {QueueMedia, time.Hour, 60 * s, forever, s, 2, 0, "moves bytes, then saves them with the clips; heartbeats while bytes move"},
		CleanupCopies:    {QueueMain, 60 * s, 30 * s, forever, s, 2, 0, "deletes bytes of retired copies"},
		RunCanary:        {QueueSearch, 90 * s, 0, 2, 30 * s, 2, 0, "one browser search; the workflow looks again later"},
		SaveCanary:       {QueueMain, 30 * s, 0, forever, s, 2, 0, "one write; an alert depends on it"},
		PlanReel:         {QueueMain, 30 * s, 0, forever, s, 2, 0, "reads the matches of a day, and whether it was made"},
		MakePiece:        {QueueMedia, 15 * time.Minute, 60 * s, forever, 2 * s, 2, 0, "20 s of film are 15 s of work for a core, on a busy machine minutes; a clip that cannot be shown is an answer"},
		JoinReel:         {QueueMedia, 15 * time.Minute, 60 * s, forever, 2 * s, 2, 0, "copies the pieces here, draws the title and compresses the sound"},
		MarkComplete:     {QueueMain, 30 * s, 0, forever, s, 2, 0, "one read, rarely a write"},
	}
}

// Why gives the reason of an activity's numbers, for documents and tests.
func Why(a Activity) string { return table()[a].why }

// LongestHeartbeat is how long it takes at most until the engine gives a task to another whose worker is silent.
func LongestHeartbeat() (longest time.Duration) {
	for _, r := range table() { //workflowcheck:ignore
		longest = max(longest, r.heartbeat)
	}
	return longest
}

// Activities lists every activity with a row.
func Activities() []Activity {
	out := make([]Activity, 0, len(table()))
	for a := range table() { //workflowcheck:ignore
		out = append(out, a)
	}
	return out
}

// untakenAfter is how long a task lies in the search queue before its workflow looks why nobody takes it: long enough for a busy
// minute, short enough that people are told. Accounts without a login or budget take none. No other queue gives its tasks back.
const untakenAfter = 2 * time.Minute

// Untaken reports whether err says that nobody took a task from the search queue.
func Untaken(err error) bool {
	var t *temporal.TimeoutError
	return errors.As(err, &t) && t.TimeoutType() == enums.TIMEOUT_TYPE_SCHEDULE_TO_START
}

// Options returns the activity options of a. summary is what the Temporal UI shows on the row.
func Options(a Activity, summary string) workflow.ActivityOptions {
	r := table()[a]
	var untaken time.Duration
	if r.queue == QueueSearch {
		untaken = untakenAfter
	}
	var turn temporal.Priority
	if a == UploadVideos { // before everything that is still to be fetched on the same queue: on a busy afternoon that never ends
		turn.PriorityKey = 1
	}
	return workflow.ActivityOptions{
		Priority:               turn,
		ScheduleToStartTimeout: untaken,
		TaskQueue:              r.queue,
		StartToCloseTimeout:    r.timeout,
		HeartbeatTimeout:       r.heartbeat,
		// A vendor that asks for a minute's patience must not hold up the cycle: the next one comes anyway.
		ScheduleToCloseTimeout: r.budget,
		Summary:                summary,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    r.initial,
			BackoffCoefficient: r.factor,
			MaximumInterval:    max(15*time.Second, r.initial), // an outage of ours is over soon after it is over
			MaximumAttempts:    r.attempts,
		},
	}
}

// Counted says in a summary how many things a row is about: "1 match", "3 matches".
func Counted(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Do runs activity a with its options and decodes its result into out (nil: none).
func Do(ctx workflow.Context, a Activity, summary string, in, out any) error {
	ctx = workflow.WithActivityOptions(ctx, Options(a, summary))
	return workflow.ExecuteActivity(ctx, string(a), in).Get(ctx, out)
}

// Child are the options of a child workflow that outlives its parent.
func Child(workflowType, id, summary string, reuse enums.WorkflowIdReusePolicy) workflow.ChildWorkflowOptions {
	return workflow.ChildWorkflowOptions{
		WorkflowID: id, TaskQueue: QueueMain, StaticSummary: summary, WorkflowRunTimeout: RunTimeout(workflowType),
		ParentClosePolicy: enums.PARENT_CLOSE_POLICY_ABANDON, WorkflowIDReusePolicy: reuse,
	}
}

// StartChild starts a child and waits until it has certainly started; one that runs already, or ran to its end, is fine.
func StartChild(ctx workflow.Context, o workflow.ChildWorkflowOptions, workflowType string, in any) error {
	err := workflow.ExecuteChildWorkflow(workflow.WithChildOptions(ctx, o), workflowType, in).GetChildWorkflowExecution().Get(ctx, nil)
	var started *temporal.ChildWorkflowExecutionAlreadyStartedError
	if errors.As(err, &started) {
		return nil
	}
	return err
}

// Start begins activity a and returns its future.
func Start(ctx workflow.Context, a Activity, summary string, in any) workflow.Future {
	return workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, Options(a, summary)), string(a), in)
}
