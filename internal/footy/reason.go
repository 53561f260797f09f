package footy

import (
	"slices"
	"strings"
)

// Reason says why, as a value that can be counted; internal/tell/explain has the words.
type Reason string

// Why a candidate was refused or passed over, why an event was removed, and why a round ended.
const (
	ReasonNone         Reason = ""
	ReasonTooShort     Reason = "too_short"
	ReasonTooLong      Reason = "too_long"
	ReasonPortrait     Reason = "portrait" // aspect below the gate
	ReasonNotSoccer    Reason = "not_soccer"
	ReasonScreen       Reason = "screen" // a phone filming a screen
	ReasonWrongMinute  Reason = "wrong_minute"
	ReasonSiblingGoal  Reason = "sibling_goal" // shows another goal of this match
	ReasonOtherMatch   Reason = "other_match"  // the codes beside its clock are another match's
	ReasonNoClock      Reason = "no_clock"     // its running clock cannot be read, and no model is asked here
	ReasonTruncated    Reason = "truncated"
	ReasonUnreadable   Reason = "unreadable"
	ReasonTooLarge     Reason = "too_large"
	ReasonStalled      Reason = "stalled" // did not come through probe or decode in time: built so, or the machine was busy
	ReasonDeleted      Reason = "deleted"
	ReasonNoVideo      Reason = "no_video"
	ReasonGeoBlocked   Reason = "geo_blocked"
	ReasonForbiddenURL Reason = "forbidden_url"
	ReasonDuplicate    Reason = "duplicate"   // same digest or same picture as a clip of this event
	ReasonTombstone    Reason = "tombstone"   // taken down before
	ReasonOldFootage   Reason = "old_footage" // its footage was kept of another match before this one began
	ReasonHidden       Reason = "hidden"      // a clip, by an operator
	ReasonNotChosen    Reason = "not_chosen"  // not among the five longest of its search
	ReasonVAR          Reason = "var"
	ReasonListedTwice  Reason = "listed_twice" // another event is the same goal
	ReasonPlaceholder  Reason = "placeholder"  // unknown scorer, disappeared before it was certain
	ReasonScoreNeeds   Reason = "score_still_needs_goal"
	ReasonAnomaly      Reason = "vendor_anomaly"
	ReasonWindowOver   Reason = "window_over"
	ReasonTriesUsed    Reason = "tries_used" // fifteen searches, fewer than ten of them usable
	ReasonNoQuery      Reason = "no_query"   // neither scorer nor team has a word to search for
	ReasonEventGone    Reason = "event_gone"
	ReasonRedditPublic Reason = "reddit_public"    // Reddit refuses its public list to this machine: a search could not look there
	ReasonRedditFeed   Reason = "reddit_feed"      // Reddit refuses the address that a person set: a search could not look there
	ReasonKept         Reason = "kept_by_operator" // absent, but an operator says that it stands
	ReasonGaveUp       Reason = "gave_up"          // a post that waited: an operator said so, or its time of keeping was over
)

// Trouble that a post waits for.
const (
	ReasonStorage          Reason = "storage"           // our object store does not answer, or lost what was staged
	ReasonFetchFailed      Reason = "fetch_failed"      // the post or its file could not be had
	ReasonFetchResting     Reason = "fetch_resting"     // the last ten posts of its place all failed alike: nobody is answered there
	ReasonHostFailed       Reason = "host_failed"       // the host that the clip lies on refuses it, or answers as its row of the table does not know
	ReasonUnknownHost      Reason = "unknown_host"      // nothing tells where it lies on its host, or the row does not let it be asked there
	ReasonNoModel          Reason = "no_model"          // none is set up
	ReasonModelUnreachable Reason = "model_unreachable" // its server does not answer, or not as one
	ReasonModelDenied      Reason = "model_denied"      // its server refuses the key, or its account
	ReasonModelMissing     Reason = "model_missing"     // its server does not have it, or has not loaded it
	ReasonModelLoading     Reason = "model_loading"     // its server says that it is not loaded yet
	ReasonModelBlind       Reason = "model_blind"       // refuses pictures
	ReasonModelThinks      Reason = "model_thinks"      // it spends its tokens on thoughts and answers nothing
	ReasonModelContext     Reason = "model_context"     // a question with pictures does not fit its context
	ReasonModelMemory      Reason = "model_memory"      // its machine has too little memory
	ReasonModelError       Reason = "model_error"       // its server answers with an error that names nothing else
	ReasonModelJunk        Reason = "model_junk"        // its answers cannot be read
	ReasonModelSlow        Reason = "model_slow"        // does not answer in time
	ReasonMachine          Reason = "machine"           // this machine could not: disk full, ffmpeg missing
)

// What a post waits for that waits for its goal. Nothing is wrong.
const (
	ReasonGoalRemoved Reason = "goal_removed" // to be reinstated
	ReasonNotCertain  Reason = "not_certain"  // to be certain: the post was fetched before
)

// OfModel reports whether it is a trouble of the model.
func (r Reason) OfModel() bool { return r == ReasonNoModel || strings.HasPrefix(string(r), "model_") }

// AwaitsGoal reports whether a post waits for its goal.
func (r Reason) AwaitsGoal() bool { return r == ReasonGoalRemoved || r == ReasonNotCertain }

// meaning is what a reason says of a post.
type meaning int

const (
	aboutGoal meaning = iota // nothing: it is about the goal, its match or its search
	proof                    // a fact about the post that ends it
	trouble                  // something of ours or of a service: the post waits for its end
	doubtful                 // a proof that a blocked address, a broken connection or a busy machine gives, too: the post waits until it was seen again
)

// reasons holds every reason, in the order in which people read about them.
var reasons = []struct {
	Reason
	meaning
}{
	{ReasonTooShort, proof}, {ReasonTooLong, proof}, {ReasonPortrait, proof}, {ReasonNotSoccer, proof}, {ReasonScreen, proof},
	{ReasonWrongMinute, proof}, {ReasonSiblingGoal, proof}, {ReasonOtherMatch, proof}, {ReasonNoClock, proof}, {ReasonUnreadable, proof}, {ReasonTooLarge, proof}, {ReasonNoVideo, proof},
	{ReasonForbiddenURL, proof}, {ReasonDuplicate, proof}, {ReasonTombstone, proof}, {ReasonOldFootage, proof}, {ReasonNotChosen, proof}, {ReasonEventGone, proof},
	{ReasonGaveUp, proof},
	{ReasonStorage, trouble}, {ReasonFetchFailed, trouble}, {ReasonFetchResting, trouble}, {ReasonHostFailed, trouble}, {ReasonUnknownHost, trouble}, {ReasonNoModel, trouble},
	{ReasonModelUnreachable, trouble}, {ReasonModelDenied, trouble}, {ReasonModelMissing, trouble}, {ReasonModelLoading, trouble}, {ReasonModelBlind, trouble}, {ReasonModelContext, trouble},
	{ReasonModelThinks, trouble}, {ReasonModelMemory, trouble}, {ReasonModelError, trouble}, {ReasonModelJunk, trouble}, {ReasonModelSlow, trouble}, {ReasonMachine, trouble},
	{ReasonDeleted, doubtful}, {ReasonGeoBlocked, doubtful}, {ReasonTruncated, doubtful}, {ReasonStalled, doubtful},
	{ReasonVAR, aboutGoal}, {ReasonListedTwice, aboutGoal}, {ReasonPlaceholder, aboutGoal}, {ReasonScoreNeeds, aboutGoal}, {ReasonAnomaly, aboutGoal},
	{ReasonWindowOver, aboutGoal}, {ReasonTriesUsed, aboutGoal}, {ReasonNoQuery, aboutGoal}, {ReasonKept, aboutGoal},
	{ReasonRedditPublic, aboutGoal}, {ReasonRedditFeed, aboutGoal},
	{ReasonHidden, aboutGoal}, {ReasonGoalRemoved, aboutGoal}, {ReasonNotCertain, aboutGoal},
}

// Reasons lists every reason.
func Reasons() []Reason { return chosen(func(meaning) bool { return true }) }

// WaitCauses lists every trouble that a post can wait for.
func WaitCauses() []Reason {
	return chosen(func(m meaning) bool { return m == trouble || m == doubtful })
}

// Doubtful reports whether it ends a post only once it was seen again; until then the post waits.
func (r Reason) Doubtful() bool {
	return slices.Contains(chosen(func(m meaning) bool { return m == doubtful }), r)
}

func chosen(is func(meaning) bool) []Reason {
	var out []Reason
	for _, r := range reasons {
		if is(r.meaning) {
			out = append(out, r.Reason)
		}
	}
	return out
}
