package monitor

import (
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/search"
)

// Plan says whom to ask in this cycle.
type Plan struct {
	Calls     []Chunk `json:"calls,omitempty"`   // one call each; their poll is the cycle's
	Activated int     `json:"activated"`         // moved to active because kickoff is near
	Waiting   []int64 `json:"waiting,omitempty"` // those asked about that wait for their kickoff: decided on after the others
	// After so long since the cycle began the matches with an open vote are looked at again; 0: they are not.
	SecondLook time.Duration `json:"second_look,omitempty"`
	Open       bool          `json:"open"` // there is something that reconcile should look at
	Sweep      bool          `json:"sweep,omitempty"`
	// Ingest is to be started, because today's list of matches is missing.
	Ingest *ingest.Input `json:"ingest,omitempty"`
}

// chunks are the calls about some matches.
func chunks(ids []int64) []Chunk {
	var out []Chunk
	for some := range slices.Chunk(ids, feed.MaxIDs) {
		out = append(out, Chunk{IDs: some})
	}
	return out
}

// Chunk is one call about some matches.
type Chunk struct {
	Poll string  `json:"poll,omitempty"`
	IDs  []int64 `json:"ids"`
}

// PollResult is what the decide step needs to know of a chunk: ids and counts, never payloads.
type PollResult struct {
	Answered  int       `json:"answered"`
	Changed   []int64   `json:"changed,omitempty"`   // a decision is due
	Regressed []int64   `json:"regressed,omitempty"` // went back in score, phase, clock or known fields
	Vanished  int       `json:"vanished,omitempty"`  // confirmed goals that are gone
	Failed    []Failure `json:"failed,omitempty"`
}

// Failure is one fixture's failed poll.
type Failure struct {
	ID  int64  `json:"id"`
	Why string `json:"why"`
}

// DecideInput asks for decisions on one poll.
type DecideInput struct {
	Poll       string    `json:"poll"`
	Changed    []int64   `json:"changed"`
	Regressed  []int64   `json:"regressed,omitempty"`
	Failed     []Failure `json:"failed,omitempty"`
	Distrusted bool      `json:"distrusted,omitempty"`
	SecondLook bool      `json:"second,omitempty"` // it is a second look of a cycle
	Why        string    `json:"why,omitempty"`
}

// ReconcileInput asks what earlier runs left behind.
type ReconcileInput struct {
	Poll   string        `json:"poll"`
	Timing policy.Timing `json:"timing"`
}

// Todo is what the workflow has to start. It completes each child's input with its own intervals.
type Todo struct {
	Searches  []Search   `json:"searches,omitempty"`
	Downloads []Download `json:"downloads,omitempty"`
	Ahead     []Ahead    `json:"ahead,omitempty"`
	Completed int        `json:"completed,omitempty"`
	Failed    int        `json:"failed,omitempty"`
	Voting    []int64    `json:"voting,omitempty"` // matches with a goal that the next look may make certain
}

// What a cycle hands on is bounded: the engine refuses an answer of 2 MB, and a workflow with 2,000 children that run.
const (
	mostStarted = 100 // searches, Downloads and searches ahead that one answer asks for; what is over is found by the next cycle
	mostDecided = 500 // matches that one decision is asked for
	mostWords   = 200 // bytes of a label, or of why a poll failed
)

// bounded leaves out what is started later.
func (t Todo) bounded() Todo {
	t.Searches = t.Searches[:min(len(t.Searches), mostStarted)]
	t.Downloads = t.Downloads[:min(len(t.Downloads), mostStarted)]
	t.Ahead = t.Ahead[:min(len(t.Ahead), mostStarted)]
	return t
}

// labelOf names an event for the engine's page.
func labelOf(f footy.Fixture, e footy.Event) string { return short(footy.MatchLabel(f, e)) }

// short cuts words that a feed makes as long as it likes.
func short(s string) string {
	if len(s) <= mostWords {
		return s
	}
	return strings.ToValidUTF8(s[:mostWords-len("…")], "") + "…"
}

// inPieces asks for decisions on so many matches at a time.
func (in DecideInput) inPieces() (out []DecideInput) {
	for len(in.Changed)+len(in.Failed) > 0 {
		piece := in
		n := min(len(in.Changed), mostDecided)
		piece.Changed, in.Changed = in.Changed[:n], in.Changed[n:]
		n = min(len(in.Failed), mostDecided)
		piece.Failed, in.Failed = in.Failed[:n], in.Failed[n:]
		out = append(out, piece)
	}
	return out
}

// Search is a search to start. Running is the workflow that searched an earlier round; if it still runs it is told.
type Search struct {
	search.Input
	WorkflowID string `json:"workflow_id"`
	Running    string `json:"running,omitempty"`
	Label      string `json:"label"`

	scored time.Time // orders them; the engine need not know
}

// Ahead is a search to start for an event that a poll saw and that is not certain yet.
type Ahead struct {
	search.AheadInput
	WorkflowID string `json:"workflow_id"`
}

// Download is one to start, for posts that are tried again.
type Download struct {
	download.Input
	WorkflowID string `json:"workflow_id"`
	Label      string `json:"label"`
}
