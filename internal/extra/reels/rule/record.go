package rule

import (
	"slices"
	"time"
)

// Record is what is kept beside a reel that was made.
type Record struct {
	Plan   Plan      `json:"plan"` // with the frames that its clips turned out to have
	Size   int64     `json:"size"` // bytes
	MadeAt time.Time `json:"made_at"`
}

// Chapter of a reel.
type Chapter struct {
	Start time.Duration
	End   time.Duration
	Title string
	Piece int // of the plan; -1: the title card
}

// Chapters are the title and one for each piece, end to end.
func (p Plan) Chapters() []Chapter {
	at := p.Card
	out := []Chapter{{End: Length(at), Title: p.Title[0], Piece: -1}}
	for i, piece := range p.Pieces {
		out = append(out, Chapter{Start: Length(at), End: Length(at + piece.Frames), Title: piece.Title(), Piece: i})
		at += piece.Frames
	}
	return out
}

// Budget is how many bytes reels may take in the clip store: nearly two hours of film at the most that a second may take.
const Budget = 4 << 30

// Stored is a reel that lies in the clip store.
type Stored struct {
	Key  string
	Size int64
	Used time.Time // when it was made, or last watched
}

// Surplus are the reels that make as much room: those that were used longest ago.
func Surplus(all []Stored, room int64) []Stored {
	all = slices.SortedStableFunc(slices.Values(all), func(a, b Stored) int { return a.Used.Compare(b.Used) })
	n := 0
	for ; n < len(all) && room > 0; n++ {
		room -= all[n].Size
	}
	return all[:n]
}

// State of the making of a reel.
type State string

// The states; "" = it was not asked for, or it was long ago.
const (
	StateMaking State = "making"
	StateFailed State = "failed"
	StateDone   State = "done"
)

// Making is how far the making of a reel is.
type Making struct {
	State State  `json:"state"`
	Done  int    `json:"done"` // pieces
	Of    int    `json:"of"`
	Waits string `json:"waits,omitempty"` // what it waits for, or why its last try failed
	Why   string `json:"why,omitempty"`   // it failed
}

// Job names the making of a reel of that length; a request for the same while it is made is for that one.
func Job(s Scope, asked time.Duration) string {
	if asked <= 0 {
		return "reel-" + s.Name()
	}
	return "reel-" + s.Name() + "-" + asked.String()
}
