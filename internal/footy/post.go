package footy

import "time"

// Post is one record of the ledger: one post of one event, with exactly one state. It is the only record of what became of
// the post, and internal/decide/post/ledger alone changes it. Only a fact about the post ends it; trouble of our own or of a
// service we use makes it wait. A record that has not ended always has a next try.
type Post struct {
	EventUID  string `json:"event_uid"`
	PostID    string `json:"post_id"`
	FixtureID int64  `json:"fixture_id"`
	Revision  int64  `json:"_revision"`

	State  PostState `json:"state"`
	Reason Reason    `json:"reason,omitempty"` // of a refused post: why; of a waiting one: what it waits for
	Detail string    `json:"detail,omitempty"` // what happened last, for operators

	Candidate Candidate `json:"candidate"`
	Round     int       `json:"round,omitempty"`    // search round that found it
	Try       int       `json:"try,omitempty"`      // number of the search that found it; 0 = a sibling goal offered it
	Download  string    `json:"download,omitempty"` // id of the DownloadWorkflow that drives it, or drove it last
	Media     *Media    `json:"media,omitempty"`    // once fetched
	Verdict   *Verdict  `json:"verdict,omitempty"`
	ClipID    string    `json:"clip_id,omitempty"` // clip that has its bytes, or that it was merged into
	Old       *Seen     `json:"old,omitempty"`     // what older footage it shows

	FirstSeen time.Time `json:"first_seen"`
	ChangedAt time.Time `json:"changed_at"` // when the state was set last
	NextTry   time.Time `json:"next_try,omitzero"`

	WaitingSince time.Time  `json:"waiting_since,omitzero"` // start of what it waits for
	Tries        int        `json:"tries,omitempty"`        // tries that met trouble since the last step forward
	Suspicion    *Suspicion `json:"suspicion,omitempty"`
	Spoiled      bool       `json:"spoiled,omitempty"` // what was staged of it was not what was fetched
}

// Suspicion is an answer that would end a post, seen once. It is believed when it is seen again later while other posts
// can be fetched: a blocked address gets the same answer for every post.
type Suspicion struct {
	Reason Reason    `json:"reason"` // deleted or geo_blocked; of a file that may be unfit, what it met
	At     time.Time `json:"at"`     // first seen
}

// PostState is how far a post of an event has come.
type PostState string

// The states. Passed over, published, merged and refused are ends.
const (
	PostOffered   PostState = "offered"     // found, or offered by a sibling goal; nothing done yet
	PostFetching  PostState = "fetching"    // a worker fetches it
	PostFetched   PostState = "fetched"     // its bytes are staged; the verdict is missing
	PostJudged    PostState = "judged"      // accepted, not yet in the event
	PostPublished PostState = "published"   // its file is a clip of the event
	PostMerged    PostState = "merged"      // the same footage as a clip of the event; counts for that clip's popularity
	PostRefused   PostState = "refused"     // with its reason
	PostWaiting   PostState = "waiting"     // blocked by trouble, or for its goal to be certain, or reinstated; with cause, since, tries and next try
	PostPassed    PostState = "passed_over" // its search chose longer ones; a later search may choose it
)

// PostStates lists all states in the order of a post's life.
var PostStates = []PostState{PostOffered, PostFetching, PostFetched, PostJudged, PostWaiting, PostPublished, PostMerged, PostPassed, PostRefused}

// Ended reports whether nothing more will be done about the post.
func (p *Post) Ended() bool {
	return p.State == PostPublished || p.State == PostMerged || p.State == PostPassed || p.State == PostRefused
}
