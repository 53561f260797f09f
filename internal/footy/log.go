package footy

import "time"

// Entry is one row of the event log: one decision with its reason and what it rests on; internal/tell/explain makes a sentence of
// it. Key is deterministic, so that a retry of the decision writes the same row; the goal page renders these rows and
// nothing else.
type Entry struct {
	Key       string    `json:"_id"`
	FixtureID int64     `json:"fixture_id"`
	EventUID  string    `json:"event_uid,omitempty"` // empty: concerns the whole fixture
	At        time.Time `json:"at"`
	Kind      EntryKind `json:"kind"`
	Reason    Reason    `json:"reason,omitempty"`
	PostID    string    `json:"post_id,omitempty"`
	ClipID    string    `json:"clip_id,omitempty"`
	Try       int       `json:"attempt,omitempty"`
	Data      Evidence  `json:"data,omitzero"`
}

// BringsBack reports whether the row makes a goal that was removed stand again: the feed listed it, or an operator said so.
func (r Entry) BringsBack() bool {
	return r.Kind == EntryRestored || r.Kind == EntryOperator && r.Data.RestoredGoal
}

// FirstClipKey is the key of the row that tells of an event's first clip: there is one at most.
func FirstClipKey(uid string) string { return uid + "/" + string(EntryFirstClip) }

// EntryKind says what was decided.
type EntryKind string

// What the log tells, in the order of a goal's life.
const (
	EntryActivated   EntryKind = "activated"
	EntryRescheduled EntryKind = "rescheduled"
	EntryOver        EntryKind = "over" // the match is; what holds it
	EntryNew         EntryKind = "new"
	EntrySighting    EntryKind = "sighting"
	EntryAbsence     EntryKind = "absence"
	EntryWithheld    EntryKind = "absence_withheld"
	EntryChanged     EntryKind = "changed"
	EntryRenamed     EntryKind = "renamed"
	EntryCertain     EntryKind = "certain"
	EntryRemoved     EntryKind = "removed"
	EntryRestored    EntryKind = "restored"
	EntryAhead       EntryKind = "ahead"     // a search before the event is certain, with its state and counts
	EntrySearching   EntryKind = "searching" // the search round began
	EntryQuery       EntryKind = "query"     // one search with its state and counts
	EntryCandidate   EntryKind = "candidate" // a post was chosen, or passed over with its reason
	EntryRejected    EntryKind = "rejected"  // a candidate was refused, with its reason
	EntryVerdict     EntryKind = "verdict"
	EntryWaiting     EntryKind = "waiting"    // a post is blocked by trouble
	EntryClip        EntryKind = "clip"       // a clip was published
	EntryFirstClip   EntryKind = "first_clip" // the first one of the event, with how long each stage took
	EntryMerged      EntryKind = "merged"     // a clip was found to be the same as another
	EntryReplaced    EntryKind = "replaced"   // a better copy took over
	EntryCompleted   EntryKind = "completed"
	EntryDistrusted  EntryKind = "poll_distrusted"
	EntryPollFailed  EntryKind = "poll_failed"
	EntryTrusted     EntryKind = "poll_trusted" // answers are believed again
	EntryOperator    EntryKind = "operator"
	EntryExtra       EntryKind = "extra" // something that an extra did
)
