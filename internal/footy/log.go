package footy

import "time"

// Entry is one row of the event log: one decision with its reason. Key is deterministic, so that a retry of the
// decision writes the same row; the goal page renders these rows and nothing else.
type Entry struct {
	Key       string         `json:"_id"`
	FixtureID int64          `json:"fixture_id"`
	EventUID  string         `json:"event_uid,omitempty"` // empty: concerns the whole fixture
	At        time.Time      `json:"at"`
	Kind      EntryKind      `json:"kind"`
	Reason    Reason         `json:"reason,omitempty"`
	Text      string         `json:"text"` // one sentence for people
	PostID    string         `json:"post_id,omitempty"`
	ClipID    string         `json:"clip_id,omitempty"`
	Attempt   int            `json:"attempt,omitempty"`
	Data      map[string]any `json:"data,omitempty"` // evidence: query, readings, votes, scores
}

// EntryKind says what was decided.
type EntryKind string

// What the log tells, in the order of a goal's life.
const (
	EntryActivated   EntryKind = "activated"
	EntryRescheduled EntryKind = "rescheduled"
	EntryNew         EntryKind = "new"
	EntrySighting    EntryKind = "sighting"
	EntryAbsence     EntryKind = "absence"
	EntryWithheld    EntryKind = "absence_withheld"
	EntryChanged     EntryKind = "changed"
	EntryRenamed     EntryKind = "renamed"
	EntryCertain     EntryKind = "certain"
	EntryRemoved     EntryKind = "removed"
	EntryRestored    EntryKind = "restored"
	EntrySearching   EntryKind = "searching" // the search round began
	EntryAliases     EntryKind = "aliases"
	EntryQuery       EntryKind = "query"     // one search with its state and counts
	EntryCandidate   EntryKind = "candidate" // a post was taken into a batch, or passed over with its reason
	EntryRejected    EntryKind = "rejected"  // a candidate was refused, with its reason
	EntryVerdict     EntryKind = "verdict"
	EntryWaiting     EntryKind = "waiting"  // a post waits for the end of a trouble
	EntryClip        EntryKind = "clip"     // a clip was published
	EntryMerged      EntryKind = "merged"   // a clip was found to be the same as another
	EntryReplaced    EntryKind = "replaced" // a better copy took over
	EntrySettled     EntryKind = "settled"
	EntryCompleted   EntryKind = "completed"
	EntryDistrusted  EntryKind = "poll_distrusted"
	EntryPollFailed  EntryKind = "poll_failed"
	EntryTrusted     EntryKind = "poll_trusted" // answers are believed again
	EntryOperator    EntryKind = "operator"
)

// Reason says why, as a value that can be counted.
type Reason string

// Why a candidate was refused or passed over, and why an event was removed or lost.
const (
	ReasonNone         Reason = ""
	ReasonTooShort     Reason = "too_short"
	ReasonTooLong      Reason = "too_long"
	ReasonPortrait     Reason = "portrait" // aspect below the gate
	ReasonNotSoccer    Reason = "not_soccer"
	ReasonScreen       Reason = "screen" // a phone filming a screen
	ReasonWrongMinute  Reason = "wrong_minute"
	ReasonSiblingGoal  Reason = "sibling_goal" // shows another goal of this match
	ReasonTruncated    Reason = "truncated"
	ReasonUnreadable   Reason = "unreadable"
	ReasonTooLarge     Reason = "too_large"
	ReasonStalled      Reason = "stalled" // did not come through probe or decode in time: built so, or the machine was busy
	ReasonDeleted      Reason = "deleted"
	ReasonNoVideo      Reason = "no_video"
	ReasonGeoBlocked   Reason = "geo_blocked"
	ReasonForbiddenURL Reason = "forbidden_url"
	ReasonDuplicate    Reason = "duplicate"   // same digest or same picture as a clip of this event
	ReasonUnvalidated  Reason = "unvalidated" // no verdict could be had
	ReasonUnavailable  Reason = "unavailable" // could not be fetched after all retries
	ReasonTombstone    Reason = "tombstone"   // taken down before
	ReasonNotChosen    Reason = "not_chosen"  // not among the five longest of its attempt
	ReasonVAR          Reason = "var"
	ReasonPlaceholder  Reason = "placeholder" // unknown scorer, disappeared before it was certain
	ReasonScoreNeeds   Reason = "score_still_needs_goal"
	ReasonAnomaly      Reason = "vendor_anomaly"
	ReasonWindowOver   Reason = "window_over"
	ReasonTriesUsed    Reason = "tries_used" // fifteen searches, fewer than ten of them usable
	ReasonNoSource     Reason = "no_source"
	ReasonNoQuery      Reason = "no_query" // neither scorer nor team has a word to search for
	ReasonEventGone    Reason = "event_gone"
	ReasonKept         Reason = "kept_by_operator" // absent, but an operator says that it stands
)
