// Package audit checks that ledger, fixtures, log, fingerprints and objects agree with each other and with the rules. The checks are pure, a thin
// reader feeds them; nothing is changed.
package audit

import (
	"fmt"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
)

// Check names one thing that must hold.
type Check string

// The checks.
const (
	EngineStands      Check = "engine_stands"
	Idle              Check = "idle"
	ClipStoreOwner    Check = "clip_store_owner"
	BackupFailed      Check = "backup_failed"
	DocumentDamaged   Check = "document_damaged"
	PostNextTry       Check = "post_next_try"
	PostOverdue       Check = "post_overdue"
	PostLate          Check = "post_late"
	PostState         Check = "post_state"
	PostEvent         Check = "post_event"
	PostNotClosed     Check = "post_not_closed"
	PostClip          Check = "post_clip"
	ClipPost          Check = "clip_post"
	ClipBytes         Check = "clip_bytes"
	ClipPoster        Check = "clip_poster"
	ClipFingerprint   Check = "clip_fingerprint"
	ClipKept          Check = "clip_kept"
	EventIncomplete   Check = "event_incomplete"
	EventOpen         Check = "event_open"
	FixtureUnfinished Check = "fixture_unfinished"
	TakedownClip      Check = "takedown_clip"
	TakedownBytes     Check = "takedown_bytes"
	ObjectOwner       Check = "object_owner"
)

// about says what a check finds and what to do about it.
type about struct {
	Check
	title, remedy string
}

// checks are listed in the order in which they are reported.
var checks = []about{
	{EngineStands, "the workflow engine", ""}, // footy audit asks it: it is no part of what is stored
	{Idle, "open work that nobody does", "start footy (footy up, or a worker), or see in Temporal's UI why MonitorWorkflow does not run"},
	{ClipStoreOwner, "a clip storage that is not this database's, or not known to be", "see Health, or footy clips, for what to do"},
	{BackupFailed, "a backup that failed", "put right what it says, then footy backup"},
	{DocumentDamaged, "documents that cannot be read; the rest was checked without them", "footy restore a backup from before"},
	{PostNextTry, "open posts whose next try is far ahead", "Monitor makes those due that wait; of the others, see the Download workflow in Temporal's UI"},
	{PostOverdue, "posts whose next try is long over", "see in Temporal's UI why MonitorWorkflow's reconcile fails: a Download may take them"},
	{PostLate, "posts still worked at long after the match", "see the event's Download workflow in Temporal's UI and end it: reconcile begins it again"},
	{PostState, "posts in a state that this footy does not know", "run the newer footy that wrote it, or footy restore a backup from before"},
	{PostEvent, "open posts of goals that no longer exist", "see in Temporal's UI why MonitorWorkflow's reconcile fails: it ends them"},
	{PostNotClosed, "open posts that a clip counts already", "see the goal's Upload workflow in Temporal's UI and end it: reconcile begins it again, and it closes them"},
	{PostClip, "published posts without their clip", "search again for the goal"},
	{ClipPost, "clips that count a post which the ledger does not", "nothing is lost: the clip's popularity may be too high"},
	{ClipBytes, "clips without their bytes", "footy restore a backup that has them, or hide the clip"},
	{ClipPoster, "clips without their still picture", "footy restore a backup that has it; the page shows none meanwhile"},
	{ClipFingerprint, "clips without a fingerprint", "footy restore a backup that has it; copies of this clip are not recognised meanwhile"},
	{ClipKept, "clips whose bytes should be gone by now", "see in Temporal's UI whether MonitorWorkflow sweeps; it leaves matches alone that began more than two days ago"},
	{EventIncomplete, "goals of finished matches that stay open", "see the goal's Twitter and Upload workflows in Temporal's UI and end them: reconcile goes on"},
	{EventOpen, "complete goals with an open post", "see in Temporal's UI why MonitorWorkflow's reconcile fails"},
	{FixtureUnfinished, "matches that are over and stay active", "see in Temporal's UI why MonitorWorkflow does not move them"},
	{TakedownClip, "clips whose content was taken down", "take the clip down again"},
	{TakedownBytes, "bytes of content that was taken down", "delete the object from the clip storage"},
	{ObjectOwner, "objects that nothing refers to", "nothing: they go with their match, staged bytes with the next sweep; footy clips shows what a sweep holds back"},
}

func (c Check) place() int {
	return slices.IndexFunc(checks, func(a about) bool { return a.Check == c })
}

// Title says in a few words what the check finds.
func (c Check) Title() string { return checks[c.place()].title }

// Remedy says what to do about what it finds.
func (c Check) Remedy() string { return checks[c.place()].remedy }

// Breach is one thing that does not hold.
type Breach struct {
	Check     Check  `json:"check"`
	FixtureID int64  `json:"fixture_id,omitempty"`
	EventUID  string `json:"event_uid,omitempty"`
	PostID    string `json:"post_id,omitempty"`
	ClipID    string `json:"clip_id,omitempty"`
	Key       string `json:"key,omitempty"` // of an object, a log row, or the id given twice
	Detail    string `json:"detail"`
	Remedy    string `json:"remedy"`
}

// id tells whether two looks found the same.
func (b Breach) id() string {
	return fmt.Sprintf("%s/%d/%s/%s/%s/%s", b.Check, b.FixtureID, b.EventUID, b.PostID, b.ClipID, b.Key)
}

// Options say how old a thing may be.
type Options struct {
	Now     time.Time
	Overdue time.Duration // a next try may be this long over
	Ahead   time.Duration // the next try of a post that waits may be this far ahead; of others, Overdue
	Late    time.Duration // a post may be worked at this long after the match, or its last step
	Settle  time.Duration // a goal of a finished match is complete this long after its last write
	Finish  time.Duration // a match that is over is moved within this time
	Removed time.Duration // the clips of a removed goal are deleted within this time
	Unknown time.Duration // bytes of a goal that no record names are left to the sweeps for this long
	Grace   time.Duration // objects that nobody has needed for less may still get their owner, or be deleted by the next sweep
	Again   time.Duration // pause before the second look at what was found; 0: none
}

// Defaults are the product's own numbers.
func Defaults() Options {
	return Options{Overdue: time.Hour, Ahead: ledger.DefaultDelays().Longest * 9 / 8, Late: 3 * time.Hour, Settle: 30 * time.Minute, Finish: 2 * time.Hour,
		Removed: 26 * time.Hour, Unknown: 26 * time.Hour, Grace: 2 * time.Hour, Again: 5 * time.Second}
}

// Scaled divides what belongs to the product's time by n; the machine needs some minutes all the same.
func (o Options) Scaled(n int) Options {
	for _, d := range []*time.Duration{&o.Overdue, &o.Ahead, &o.Late, &o.Settle, &o.Finish, &o.Removed, &o.Unknown, &o.Grace} {
		*d = max(*d/time.Duration(max(n, 1)), min(*d, 2*time.Minute))
	}
	return o
}

// Counts say what was looked at.
type Counts struct {
	Fixtures     int `json:"fixtures"`
	Events       int `json:"events"`
	Posts        int `json:"posts"`
	Clips        int `json:"clips"`
	Rows         int `json:"rows"`
	Fingerprints int `json:"fingerprints"`
	Tombstones   int `json:"tombstones"`
	Objects      int `json:"objects"`
}

// Report is what an audit found.
type Report struct {
	Checked  Counts    `json:"checked"`
	AsOf     time.Time `json:"as_of"` // ages count up to here: now, or the last sign of life of a footy that does not run
	Breaches []Breach  `json:"breaches"`
}
