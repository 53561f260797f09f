package footy

import (
	"encoding/json"
	"time"
)

// Evidence is what a decision rests on, as values; explain makes sentences of it. Each kind of row has the fields that it
// needs.
type Evidence struct {
	// The event: what was reported, where a row tells it.
	What   Kind    `json:"kind,omitempty"`
	Player string  `json:"player,omitempty"` // "": not named
	Team   string  `json:"team,omitempty"`
	Time   *Minute `json:"time,omitempty"`
	Score  *Score  `json:"score,omitempty"` // of the answer that was decided on

	// Votes.
	Votes    int `json:"votes,omitempty"`
	Of       int `json:"of,omitempty"`    // votes or absences that are needed
	Named    int `json:"named,omitempty"` // the last so many sightings named the present scorer
	Absences int `json:"absences,omitempty"`

	// Corrections.
	From   *Person `json:"from,omitempty"`
	To     *Person `json:"to,omitempty"`
	OldID  string  `json:"old_id,omitempty"`
	NewID  string  `json:"new_id,omitempty"`
	Before *Minute `json:"time_before,omitempty"`
	Listed string  `json:"listed,omitempty"` // as what the feed lists it
	Was    string  `json:"listed_before,omitempty"`

	// The match.
	Status   string    `json:"status,omitempty"`
	Kickoff  time.Time `json:"kickoff,omitzero"`
	Again    bool      `json:"again,omitempty"`    // it was over before
	Complete bool      `json:"complete,omitempty"` // every event was complete
	Open     int       `json:"open,omitempty"`     // events that were not complete
	Unlisted int       `json:"unlisted,omitempty"` // goals of the score that the feed never listed
	Lasted   float64   `json:"lasted_s,omitempty"` // seconds of a trouble
	Why      string    `json:"why,omitempty"`      // what was wrong with a poll

	// Searches.
	Round      int         `json:"round,omitempty"`
	Workflow   string      `json:"workflow,omitempty"`
	Aliases    []string    `json:"aliases,omitempty"`
	Query      string      `json:"query,omitempty"`
	State      SearchState `json:"state,omitempty"` // what the source said
	Found      int         `json:"found,omitempty"`
	New        int         `json:"new,omitempty"`
	Calls      int         `json:"calls,omitempty"`
	Since      time.Time   `json:"since,omitzero"`
	RetryAfter float64     `json:"retry_after_s,omitempty"`

	Comments []CommentsRead `json:"comments,omitempty"` // that a search read beside

	// A post.
	URL        string    `json:"url,omitempty"`
	Author     string    `json:"author,omitempty"`
	PostText   string    `json:"text,omitempty"`
	PostedAt   time.Time `json:"posted_at,omitzero"`
	DurationMS int       `json:"duration_ms,omitempty"`
	OfferedBy  string    `json:"offered_by,omitempty"`
	Download   string    `json:"download,omitempty"` // the workflow that drove it

	TitleSays *TitleEvidence `json:"title_says,omitempty"`

	Link      string `json:"link,omitempty"`       // of a comment: what it links to
	CommentOf string `json:"comment_of,omitempty"` // and the address of its post

	Old *Seen `json:"old,omitempty"` // the older match whose footage it shows

	PosterKey string `json:"poster_key,omitempty"`
	WaitedFor Reason `json:"waited_for,omitempty"`
	Detail    string `json:"detail,omitempty"` // what happened, in the words of a rule, or of a program that failed

	// A verdict. The outcome is also that of a round: "ok" or "lost(reason)".
	Outcome  string        `json:"outcome,omitempty"`
	Readings []Reading     `json:"readings,omitempty"`
	Model    string        `json:"model,omitempty"`
	Expected int           `json:"expected,omitempty"`
	Minute   *int          `json:"minute,omitempty"`
	Sibling  string        `json:"sibling,omitempty"`
	SameAs   string        `json:"same_as,omitempty"` // the clip whose frames were read
	Proof    Proof         `json:"proof,omitempty"`
	Running  *RunningClock `json:"running,omitempty"`   // the clock that was read from its beat
	ScoreFit ScoreFit      `json:"score_fit,omitempty"` // of the score beside it

	// Clips.
	Into     string      `json:"into,omitempty"` // the clip that stands for it now
	Match    *Comparison `json:"match,omitempty"`
	Better   Merit       `json:"better,omitempty"`   // why that one stands for it
	Compiled bool        `json:"compiled,omitempty"` // it holds several moments
	Returned bool        `json:"returned,omitempty"` // it stands for itself again
	Width    int         `json:"width,omitempty"`
	Height   int         `json:"height,omitempty"`
	Duration float64     `json:"duration,omitempty"`
	// Stages is how many seconds each stage took on the way to the first clip, by the names of package delay.
	Stages map[string]float64 `json:"stages_s,omitempty"`

	// The end of a round.
	Clips    int `json:"clips,omitempty"`
	Searches int `json:"attempts,omitempty"`

	// Of an extra: its name, and what it tells.
	By     string            `json:"by,omitempty"`
	Values map[string]string `json:"values,omitempty"`

	// An operator.
	Act          string `json:"act,omitempty"`
	Reason       string `json:"reason,omitempty"` // in the operator's own words
	RestoredGoal bool   `json:"restored_goal,omitempty"`
}

// Merit is what one clip has over another of the same footage.
type Merit string

// The merits.
const (
	MeritPinned  Merit = "pinned"
	MeritPlays   Merit = "plays" // browsers play it, and not the other
	MeritLonger  Merit = "longer"
	MeritSharper Merit = "sharper"
	MeritBitrate Merit = "bitrate"
	MeritKept    Merit = "kept" // nothing: it came first
)

// PostEvidence is what is told of a post when it is found.
func PostEvidence(c Candidate) Evidence {
	return Evidence{URL: c.URL, Author: c.Author, PostText: c.Text, PostedAt: c.PostedAt.UTC().Truncate(time.Second), DurationMS: c.DurationMS,
		OfferedBy: c.OfferedBy, TitleSays: c.Title, Link: c.Link, CommentOf: c.CommentOf}
}

// Judged adds a verdict.
func (e *Evidence) Judged(v Verdict) {
	e.Outcome, e.Detail, e.Readings, e.Model = string(v.Outcome), v.Detail, v.Readings, v.Model
	e.Expected, e.Minute, e.Sibling = v.Expected, v.Minute, v.Sibling
	e.SameAs, e.Proof, e.Running, e.ScoreFit = v.SameAs, v.Proof, v.Running, v.ScoreFit
}

// UnmarshalJSON reads what any release wrote: a value of an odd type is left out, and the row stays readable.
func (e *Evidence) UnmarshalJSON(body []byte) error {
	type plain Evidence
	if json.Unmarshal(body, (*plain)(e)) == nil {
		return nil
	}
	*e = Evidence{}
	var all map[string]json.RawMessage
	if json.Unmarshal(body, &all) != nil {
		return nil //nolint:nilerr // no object: a row without evidence
	}
	for key, value := range all {
		next := *e
		if one, err := json.Marshal(map[string]json.RawMessage{key: value}); err == nil && json.Unmarshal(one, (*plain)(&next)) == nil {
			*e = next
		}
	}
	return nil
}

// Mismatch says why two fingerprints cannot be compared.
type Mismatch string

// The mismatches.
const (
	MismatchVersion  Mismatch = "version"
	MismatchInterval Mismatch = "interval"
	MismatchEmpty    Mismatch = "empty" // one video has no samples
)

// Comparison is how two files compare; times are seconds.
type Comparison struct {
	Same          bool     `json:"same"`
	Score         float64  `json:"score"`          // 0..1; from 0.5 they show the same footage
	Offset        float64  `json:"offset"`         // into the first at which the second begins; negative: it began before
	Mirrored      bool     `json:"mirrored"`       // one is the mirror image of the other
	Speed         float64  `json:"speed"`          // of the second relative to the first: 1.02 = 2 % faster
	MatchedFrames int      `json:"matched_frames"` // samples that agree
	From          float64  `json:"from"`           // where in the first they agree
	To            float64  `json:"to"`
	SharedBumper  bool     `json:"card"`               // not the same, for they agree at one end only, as by a shared intro or outro
	Seconds       float64  `json:"seconds,omitempty"`  // of footage that agrees
	Share         float64  `json:"share,omitempty"`    // part of the overlap that agrees
	Likeness      float64  `json:"-"`                  // of what agrees: copies reach 0.8 to 1.2, a film of a screen 0.4
	Mismatch      Mismatch `json:"mismatch,omitempty"` // why they cannot be compared
}
