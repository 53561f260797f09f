package footy

import (
	"encoding/json"
	"slices"
	"time"
)

// FeedEvent is one event as the feed lists it now. The feed gives events no id, edits them in place
// and orders them as it likes.
type FeedEvent struct {
	Minute   Minute `json:"time"`
	Team     Team   `json:"team"`
	Player   Person `json:"player"`
	Assist   Person `json:"assist"`
	Type     string `json:"type"`   // as on the wire: Goal, Card, subst, Var
	Detail   string `json:"detail"` // Normal Goal, Own Goal, Penalty, Missed Penalty, Red Card, ...
	Comments string `json:"comments,omitempty"`
	Kind     Kind   `json:"kind"` // what the wire words mean
}

// Event is something on the pitch that we follow. UID never changes; ID is its public name
// "{fixture}_{team}_{player}_{type}_{seq}" and may change when the scorer does.
type Event struct {
	UID         string   `json:"_uid"`
	ID          string   `json:"_event_id"`
	MatchedFrom []string `json:"_matched_from,omitempty"` // earlier ids; look-ups accept each

	Kind     Kind   `json:"_kind"`
	Type     string `json:"type"`
	Detail   string `json:"detail"`
	Comments string `json:"comments,omitempty"`
	Minute   Minute `json:"time"`
	Team     Team   `json:"team"` // an own goal's team is the side that benefits
	Player   Person `json:"player"`
	Assist   Person `json:"assist"`

	ScoreBefore Score `json:"_score_before"`
	ScoreAfter  Score `json:"_score_after"`
	ScoringTeam Side  `json:"_scoring_team,omitempty"`

	FirstSeen   time.Time      `json:"_first_seen"`
	HappenedAt  time.Time      `json:"_happened_at,omitzero"`   // about when, by the feed's clock at first sight; not later than FirstSeen
	MomentKnown bool           `json:"_moment_known,omitempty"` // the feed's running clock told HappenedAt, to the minute; else kickoff did, minutes too early
	CaughtUp    bool           `json:"_caught_up,omitempty"`    // nobody had looked at its match for minutes when it was first seen
	FirstLook   bool           `json:"_first_look,omitempty"`   // it stood in the first answer about its match under way: it fell before we looked
	LastSeen    time.Time      `json:"_last_seen,omitzero"`
	Votes       []string       `json:"_monitor_workflows,omitempty"` // ids of the polls that saw it, until it is certain
	AbsentPolls []string       `json:"_drop_workflows,omitempty"`    // ids of the polls that missed it since it was last seen
	Withheld    Reason         `json:"_withheld,omitempty"`          // why its present absence is not believed; told once
	ScorerPolls int            `json:"_scorer_polls,omitempty"`      // consecutive sightings that named the present scorer
	Changes     []HashedChange `json:"_snapshots,omitempty"`         // every change of identifying fields, for audit

	CertainAt        time.Time      `json:"_certain_at,omitzero"`
	Round            Round          `json:"_round,omitzero"`            // the present one; zero before the event is certain
	UploadWorkflow   string         `json:"_upload_workflow,omitempty"` // minted once per event, afterwards only read
	TwitterAliases   []string       `json:"_twitter_aliases,omitempty"` // words for its team: those known when it was searched for last
	CommentsRead     []CommentsRead `json:"_comments_read,omitempty"`   // of its posts, for links to other copies
	Retries          int            `json:"_retries,omitempty"`         // Downloads that were begun for posts to be tried again
	DownloadComplete bool           `json:"_download_complete"`         // its round is over and each of its posts has ended
	CompletedAt      time.Time      `json:"_completed_at,omitzero"`

	Clips     []Clip            `json:"_s3_videos,omitempty"`
	Redirects map[string]string `json:"_redirects,omitempty"` // retired clip id -> its winner at the time

	// Own has a drawer for each extra: what it keeps about the event. A drawer outlives its extra.
	Own map[string]json.RawMessage `json:"_own,omitempty"`
	// FormerPostings is what releases before 1.2 kept of posts of our own, until the extra takes it over.
	FormerPostings json.RawMessage `json:"_postings,omitempty"`

	Removed       bool      `json:"_removed"`
	RemovedAt     time.Time `json:"_removed_at,omitzero"`
	RemovedReason Reason    `json:"_removed_reason,omitempty"`
	SameAs        string    `json:"_same_as,omitempty"` // uid of the event that stands for it: one goal, listed twice
	Swept         bool      `json:"_swept,omitempty"`   // its bytes are gone; kept as a marker so that links can say why
	Kept          bool      `json:"_kept,omitempty"`    // an operator says that it stands: absences count again once the feed lists it

	UpdatedAt time.Time `json:"_updated_at,omitzero"`
}

// CommentsRead is how the comments of a post were read for links to other copies of its clip.
type CommentsRead struct {
	Post   string      `json:"post"`
	At     time.Time   `json:"at"`               // last asked for
	Times  int         `json:"times,omitempty"`  // answered
	Links  int         `json:"links,omitempty"`  // to hosts of clips, in the last answer
	Failed SearchState `json:"failed,omitempty"` // why the last time they could not be read; what an earlier answer had stays
}

// HashedChange is one change of an event's identifying fields.
type HashedChange struct {
	At   time.Time `json:"timestamp"`
	Hash string    `json:"hash"`
}

// Certain reports whether the event was voted certain.
func (e *Event) Certain() bool { return !e.CertainAt.IsZero() }

// ScoredAt is when it was scored as far as others must wait for it: an old goal that is caught up takes no turn from a new one. One
// that was first seen while we watched counts from then, because the feed's clock may stand still in stoppage time.
func (e *Event) ScoredAt() time.Time {
	if e.CaughtUp && !e.HappenedAt.IsZero() {
		return e.HappenedAt
	}
	return e.FirstSeen
}

// Outcome is how the round of a complete event ended; zero for others.
func (e *Event) Outcome() RoundOutcome {
	if !e.DownloadComplete {
		return RoundOutcome{}
	}
	return RoundOutcome{Ended: true, Lost: e.Round.End}
}

// Standing reports whether the event still counts: not removed.
func (e *Event) Standing() bool { return !e.Removed }

// Status is what people are told: validating -> extracting -> watching | complete.
func (e *Event) Status() EventStatus {
	switch {
	case e.Removed:
		return StatusRemoved
	case !e.Certain():
		return StatusValidating
	case e.DownloadComplete:
		return StatusComplete
	case len(e.VisibleClips()) > 0:
		return StatusWatching
	}
	return StatusExtracting
}

// EventStatus is an event's state in words for people.
type EventStatus string

// The statuses of an event.
const (
	StatusValidating EventStatus = "validating" // seen, votes still missing
	StatusExtracting EventStatus = "extracting" // certain, searching, no clip yet
	StatusWatching   EventStatus = "watching"   // at least one clip, still searching for better ones
	StatusComplete   EventStatus = "complete"   // all searches settled, with or without a clip
	StatusRemoved    EventStatus = "removed"    // the goal no longer stands
)

// VisibleClips returns the clips people may see, in rank order as stored.
func (e *Event) VisibleClips() []Clip {
	var out []Clip
	for _, c := range e.Clips {
		if c.Visible() {
			out = append(out, c)
		}
	}
	return out
}

// Replacements are a clip's id and those of the clips that replaced it since, one after the other. A circle ends.
func (e *Event) Replacements(id string) []string {
	var out []string
	for id != "" && !slices.Contains(out, id) {
		out = append(out, id)
		if c := e.Clip(id); c != nil {
			id = c.ReplacedBy
		} else {
			id = e.Redirects[id]
		}
	}
	return out
}

// Clip finds a clip by id; nil if there is none.
func (e *Event) Clip(id string) *Clip {
	for i := range e.Clips {
		if e.Clips[i].ID == id {
			return &e.Clips[i]
		}
	}
	return nil
}
