// Package audit checks that ledger, fixtures, log, fingerprints and objects agree with each other and with the rules. The checks are pure, a thin
// reader feeds them; nothing is changed.
package audit

import (
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
)

// Check names one thing that must hold.
type Check string

// The checks.
const (
	Idle              Check = "idle"             // open work that nobody does
	ClipStoreOwner    Check = "clip_store_owner" // the clip storage is not this database's, or not known to be
	DocumentDamaged   Check = "document_damaged" // cannot be read; the rest was checked without it
	PostNextTry       Check = "post_next_try"    // of an open post, far ahead
	PostOverdue       Check = "post_overdue"     // a next try that is long over
	PostLate          Check = "post_late"        // still worked at long after the match
	PostState         Check = "post_state"       // one that this footy does not know
	PostEvent         Check = "post_event"       // an open post of a goal that no longer exists
	PostNotClosed     Check = "post_not_closed"  // an open post that a clip counts already
	PostClip          Check = "post_clip"        // a published post without its clip
	ClipPost          Check = "clip_post"        // a clip counts a post which the ledger does not
	ClipBytes         Check = "clip_bytes"       // a clip without its bytes
	ClipPoster        Check = "clip_poster"      // without its still picture
	ClipFingerprint   Check = "clip_fingerprint" // without a fingerprint
	ClipKept          Check = "clip_kept"        // its bytes should be gone by now
	EventIncomplete   Check = "event_incomplete" // of a finished match
	EventOpen         Check = "event_open"       // a complete goal with an open post
	FixtureUnfinished Check = "fixture_unfinished"
	TakedownClip      Check = "takedown_clip" // a clip whose content was taken down
	TakedownBytes     Check = "takedown_bytes"
	ObjectOwner       Check = "object_owner" // an object that nothing refers to
)

// remedies say what to do about what a check finds.
var remedies = map[Check]string{
	Idle:              "start footy (footy up, or a worker), or see in Temporal's UI why MonitorWorkflow does not run",
	ClipStoreOwner:    "see Health, or footy clips, for what to do",
	DocumentDamaged:   "footy restore a backup from before",
	PostNextTry:       "Monitor makes those due that wait; of the others, see the Download workflow in Temporal's UI",
	PostOverdue:       "see in Temporal's UI why MonitorWorkflow's reconcile fails: a Download may take them",
	PostLate:          "see the event's Download workflow in Temporal's UI and end it: reconcile begins it again",
	PostState:         "run the newer footy that wrote it, or footy restore a backup from before",
	PostEvent:         "see in Temporal's UI why MonitorWorkflow's reconcile fails: it ends them",
	PostNotClosed:     "see the goal's Upload workflow in Temporal's UI and end it: reconcile begins it again, and it closes them",
	PostClip:          "search again for the goal",
	ClipPost:          "nothing is lost: the clip's popularity may be too high",
	ClipBytes:         "footy restore a backup that has them, or hide the clip",
	ClipPoster:        "footy restore a backup that has it; the page shows none meanwhile",
	ClipFingerprint:   "footy restore a backup that has it; copies of this clip are not recognised meanwhile",
	ClipKept:          "see in Temporal's UI whether MonitorWorkflow sweeps; it leaves matches alone that began more than two days ago",
	EventIncomplete:   "see the goal's Twitter and Upload workflows in Temporal's UI and end them: reconcile goes on",
	EventOpen:         "see in Temporal's UI why MonitorWorkflow's reconcile fails",
	FixtureUnfinished: "see in Temporal's UI why MonitorWorkflow does not move them",
	TakedownClip:      "take the clip down again",
	TakedownBytes:     "delete the object from the clip storage",
	ObjectOwner:       "nothing: they go with their match, staged bytes with the next sweep; footy clips shows what a sweep holds back",
}

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
