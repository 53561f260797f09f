// Package story turns the rows of one event's log into chapters people can read: how it was seen, each search with
// what became of every post, and how it ended. What became of a post says the ledger; the rows say what was decided on the way.
package story

import (
	"cmp"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// Tone colours a line: what it means for the goal.
type Tone string

// The tones.
const (
	ToneNeutral Tone = "plain"
	ToneGood    Tone = "good"
	ToneBad     Tone = "bad"
	ToneWarn    Tone = "warn"
)

// Story is everything in the log about one event.
type Story struct {
	Chapters []Chapter
	Answer   explain.Answer
	Log      []Line // every row, in order, for those who want it all
}

// Chapter is a stretch of the story.
type Chapter struct {
	ID      string // stable while the log grows, for pages that update in place
	Kind    string // seen, feed, gone, search, end
	Title   string
	Summary string
	Queries []string
	At      time.Time
	Tone    Tone
	Lines   []Line
	Posts   []Post

	first, round int // of a search
}

// Line is one decision.
type Line struct {
	Key    string
	At     time.Time
	Until  time.Time // of the last one, where the same happened again and again
	Kind   footy.EntryKind
	Word   string // short label of the kind
	Text   string
	Reason footy.Reason
	Tone   Tone
	Times  int
	Facts  []Fact
}

// Fact is one piece of evidence.
type Fact struct{ Name, Value string }

// Post is a post with everything that was decided about it.
type Post struct {
	footy.Post
	Outcome      Outcome
	Label        string // the outcome in words: clip 2, same as clip 1, refused
	Tone         Tone
	Sentence     string
	OwnClip      string // of its own file, or the one that it counts for
	Poster       bool   // a small still of it was kept
	Clock        bool   // a picture of its running clock was kept
	ClockPicture string // address of that picture
	Still        string // address of a picture; filled in by who knows addresses
	Lines        []Line
	Trouble      bool // it waits for the end of one
}

// Seconds is how long its video is, as the post claims; 0 = unknown.
func (p Post) Seconds() float64 { return float64(p.Candidate.DurationMS) / 1000 }

// Trying reports whether its next try is under way.
func (p Post) Trying() bool { return p.State != footy.PostWaiting }

// Outcome is what became of a post.
type Outcome string

// The outcomes.
const (
	Checking Outcome = "checking"
	Waiting  Outcome = "waiting" // blocked by an outage, or its goal is not certain yet
	Accepted Outcome = "accepted"
	Became   Outcome = "clip"
	Copy     Outcome = "copy"
	Refused  Outcome = "refused"
	Passed   Outcome = "passed over"
)

// Of builds the story of an event from all its posts and rows; rows may come in any order.
func Of(e *footy.Event, posts []footy.Post, rows []footy.Entry) Story {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(x, y footy.Entry) int { return cmp.Or(x.At.Compare(y.At), order(x.Kind)-order(y.Kind)) })
	b := builder{event: e, names: explain.ClipNames(e), acts: explain.Acts(e, rows), byPost: map[string][]footy.Entry{}, byClip: map[string][]footy.Entry{}, round: 1}
	s := Story{Answer: explain.Why(e, posts, rows)}
	for _, r := range rows {
		b.add(r)
		s.Log = append(s.Log, b.line(r))
	}
	b.posts(posts)
	s.Chapters = fold(b.chapters)
	return s
}

// Match is what the log says of a match itself: followed, delayed, not answered about, over.
func Match(rows []footy.Entry) (lines []Line) {
	for _, r := range rows {
		if r.EventUID == "" {
			lines = append(lines, (&builder{}).line(r))
		}
	}
	return lines
}

// causes are the kinds of rows in the order of cause and effect, which breaks ties of one instant.
var causes = [][]footy.EntryKind{
	{footy.EntryNew},
	{footy.EntrySighting, footy.EntryAbsence, footy.EntryWithheld, footy.EntryChanged, footy.EntryRenamed},
	{footy.EntryCertain},
	{footy.EntrySearching},
	{footy.EntryQuery},
	{footy.EntryCandidate},
	{footy.EntryRejected, footy.EntryVerdict, footy.EntryWaiting},
	{footy.EntryClip},
	{footy.EntryMerged, footy.EntryReplaced, footy.EntryFirstClip},
	{footy.EntryCompleted},
}

func order(k footy.EntryKind) int {
	if i := slices.IndexFunc(causes, func(kinds []footy.EntryKind) bool { return slices.Contains(kinds, k) }); i >= 0 {
		return i
	}
	return order(footy.EntryCandidate)
}
