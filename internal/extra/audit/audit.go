// Package audit looks whether what must hold of a state does: ledger, fixtures, log, fingerprints and objects against each
// other. The checks are pure, a thin reader feeds them; Run changes nothing. Repair does what is safe beside a running footy:
// each act is one the product itself makes, by the same rules and as one atomic write.
package audit

import (
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
)

// Check names one thing that must hold.
type Check string

// The checks, in the order in which they are told.
const (
	EngineStands      Check = "engine_stands"
	Idle              Check = "idle"
	ClipStoreOwner    Check = "clip_store_owner"
	BackupFailed      Check = "backup_failed"
	DocumentDamaged   Check = "document_damaged"
	PostNextTry       Check = "post_next_try"
	PostOverdue       Check = "post_overdue"
	PostLate          Check = "post_late"
	PostCause         Check = "post_cause"
	PostState         Check = "post_state"
	PostEvent         Check = "post_event"
	PostNotClosed     Check = "post_not_closed"
	PostClip          Check = "post_clip"
	ClipPost          Check = "clip_post"
	ClipBytes         Check = "clip_bytes"
	ClipPoster        Check = "clip_poster"
	ClipFingerprint   Check = "clip_fingerprint"
	ClipRank          Check = "clip_rank"
	ClipRedirect      Check = "clip_redirect"
	ClipKept          Check = "clip_kept"
	EventIncomplete   Check = "event_incomplete"
	EventOpen         Check = "event_open"
	FixtureStage      Check = "fixture_stage"
	FixtureUnfinished Check = "fixture_unfinished"
	FixtureCut        Check = "fixture_cut"
	DoubleID          Check = "double_id"
	RowMissing        Check = "row_missing"
	RowAlone          Check = "row_alone"
	TakedownClip      Check = "takedown_clip"
	TakedownBytes     Check = "takedown_bytes"
	ObjectOwner       Check = "object_owner"
)

// about says what a check finds and what to do about it.
type about struct {
	title, remedy string
	repairable    bool
}

// order lists the checks as they are told.
var order = []Check{EngineStands, Idle, ClipStoreOwner, BackupFailed, DocumentDamaged, PostNextTry, PostOverdue, PostLate, PostCause, PostState, PostEvent, PostNotClosed, PostClip, ClipPost, ClipBytes,
	ClipPoster, ClipFingerprint, ClipRank, ClipRedirect, ClipKept, EventIncomplete, EventOpen, FixtureStage,
	FixtureUnfinished, FixtureCut, DoubleID, RowMissing, RowAlone, TakedownClip, TakedownBytes, ObjectOwner}

var checks = map[Check]about{
	EngineStands:      {"the workflow engine", "", false}, // footy audit asks it: it is no part of what is stored
	Idle:              {"open work that nobody does", "start footy (footy up, or a worker), or see in Temporal's UI why MonitorWorkflow does not run", false},
	ClipStoreOwner:    {"a clip storage that is not this database's, or not known to be", "see Health, or footy clips, for what to do", false},
	BackupFailed:      {"a backup that failed", "put right what it says, then footy backup", false},
	DocumentDamaged:   {"documents that cannot be read; the rest was checked without them", "footy restore a backup from before", false},
	PostNextTry:       {"open posts whose next try is far ahead", "--repair makes those due now that wait; of the others, see the Download workflow in Temporal's UI", true},
	PostOverdue:       {"posts whose next try is long over", "see in Temporal's UI why MonitorWorkflow's reconcile fails: a Download may take them", false},
	PostLate:          {"posts still worked at long after the match", "see the event's Download workflow in Temporal's UI and end it: reconcile begins it again", false},
	PostCause:         {"posts that wait or were refused without a cause", "retry them, or give up, on the page of what waits", false},
	PostState:         {"posts in a state that this footy does not know", "run the newer footy that wrote it, or footy restore a backup from before", false},
	PostEvent:         {"open posts of goals that no longer exist", "--repair ends them", true},
	PostNotClosed:     {"open posts that a clip counts already", "--repair closes them", true},
	PostClip:          {"published posts without their clip", "search again for the goal", false},
	ClipPost:          {"clips that count a post which the ledger does not", "nothing is lost: the clip's popularity may be too high", false},
	ClipBytes:         {"clips without their bytes", "footy restore a backup that has them, or hide the clip", false},
	ClipPoster:        {"clips without their still picture", "footy restore a backup that has it; the page shows none meanwhile", false},
	ClipFingerprint:   {"clips without a fingerprint", "footy restore a backup that has it; copies of this clip are not recognised meanwhile", false},
	ClipRank:          {"ranks that do not follow from the clips", "--repair computes them anew", true},
	ClipRedirect:      {"copies, popularity or redirects that do not follow from the clips", "--repair computes them anew", true},
	ClipKept:          {"clips whose bytes should be gone by now", "see in Temporal's UI whether MonitorWorkflow sweeps; it leaves matches alone that began more than two days ago", false},
	EventIncomplete:   {"goals of finished matches that stay open", "see the goal's Twitter and Upload workflows in Temporal's UI and end them: reconcile goes on", false},
	EventOpen:         {"complete goals with an open post", "see in Temporal's UI why MonitorWorkflow's reconcile fails", false},
	FixtureStage:      {"matches whose stage and times contradict each other", "footy ingest the match anew", false},
	FixtureUnfinished: {"matches that are over and stay active", "see in Temporal's UI why MonitorWorkflow does not move them", false},
	FixtureCut:        {"matches of which the feed lists more events than are kept", "see what the feed answers for the match: no match ever had so many", false},
	DoubleID:          {"ids given twice", "report it: this is a fault of footy", false},
	RowMissing:        {"decisions that the log does not tell", "--repair writes the rows", true},
	RowAlone:          {"log rows whose decision has no effect", "report it: this is a fault of footy", false},
	TakedownClip:      {"clips whose content was taken down", "take the clip down again", false},
	TakedownBytes:     {"bytes of content that was taken down", "--repair deletes them", true},
	ObjectOwner:       {"objects that nothing refers to", "--repair deletes them", true},
}

// Checks lists every check in the order in which they are told.
func Checks() []Check { return order }

// Title says in a few words what the check finds.
func (c Check) Title() string { return checks[c].title }

// Breach is one thing that does not hold.
type Breach struct {
	Check      Check  `json:"check"`
	FixtureID  int64  `json:"fixture_id,omitempty"`
	EventUID   string `json:"event_uid,omitempty"`
	PostID     string `json:"post_id,omitempty"`
	ClipID     string `json:"clip_id,omitempty"`
	Key        string `json:"key,omitempty"` // of an object, a log row, or the id given twice
	Detail     string `json:"detail"`
	Remedy     string `json:"remedy"`
	Repairable bool   `json:"repairable"`

	fix any // what the repair needs besides: a log row to write, an object as it was seen
}

// id tells whether two looks found the same.
func (b Breach) id() string {
	return fmt.Sprintf("%s/%d/%s/%s/%s/%s", b.Check, b.FixtureID, b.EventUID, b.PostID, b.ClipID, b.Key)
}

// Options say how old a thing may be. Zero values take the defaults.
type Options struct {
	Now     time.Time
	Overdue time.Duration // a next try may be this long over
	Ahead   time.Duration // the next try of a post that waits may be this far ahead; of others, Overdue
	Late    time.Duration // a post may be worked at this long after the match, or its last step
	Settle  time.Duration // a goal of a finished match is complete this long after its last write
	Finish  time.Duration // a match that is over is moved within this time
	Removed time.Duration // the clips of a removed goal are deleted within this time
	Grace   time.Duration // objects that nobody has needed for less may still get their owner, or be deleted by the next sweep
	Unknown bool          // repair deletes objects without an owner, however many they are
	Again   time.Duration // pause before the second look at what was found; 0: none
}

// Defaults are the product's own numbers.
func Defaults() Options {
	return Options{Overdue: time.Hour, Ahead: ledger.DefaultDelays().Longest * 9 / 8, Late: 3 * time.Hour, Settle: 30 * time.Minute, Finish: 2 * time.Hour,
		Removed: 26 * time.Hour, Grace: 2 * time.Hour, Again: 5 * time.Second}
}

// Scaled divides what belongs to the product's time by n; the machine needs some minutes all the same.
func (o Options) Scaled(n int) Options {
	for _, d := range []*time.Duration{&o.Overdue, &o.Ahead, &o.Late, &o.Settle, &o.Finish, &o.Removed, &o.Grace} {
		*d = max(*d/time.Duration(max(n, 1)), min(*d, 2*time.Minute))
	}
	return o
}

func (o Options) normal() Options {
	d := Defaults()
	for _, p := range []struct{ have, def *time.Duration }{{&o.Overdue, &d.Overdue}, {&o.Ahead, &d.Ahead}, {&o.Late, &d.Late}, {&o.Settle, &d.Settle},
		{&o.Finish, &d.Finish}, {&o.Removed, &d.Removed}, {&o.Grace, &d.Grace}} {
		if *p.have <= 0 {
			*p.have = *p.def
		}
	}
	if o.Now.IsZero() {
		o.Now = time.Now()
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
	AsOf     time.Time `json:"as_of"`                  // ages count up to here: now, or the last sign of life of a footy that does not run
	Repaired []string  `json:"repaired,omitempty"`     // what --repair did
	Failed   []string  `json:"not_repaired,omitempty"` // what --repair could not do, and why
	Breaches []Breach  `json:"breaches"`
}
