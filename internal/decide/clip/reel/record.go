package reel

import (
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
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

// talkedOf is how long after its kickoff a match's reels are made anew by themselves. Older ones change because clips expire.
const talkedOf = 48 * time.Hour

// Standing is how a reel that was made stands to what is stored now.
type Standing struct {
	MayBeSeen bool // its goals stand, its clips are not hidden
	Current   bool // it would be made the same now
	Anew      bool // it would be made otherwise now, and is of matches that people talk about still
}

// Standing compares a reel that was made with what is stored now.
func (p Plan) Standing(fixtures []footy.Fixture, now time.Time) Standing {
	today := Make(p.Scope, p.Asked, fixtures)
	s := Standing{MayBeSeen: p.Shows(fixtures), Current: today.Key == p.Key}
	s.Anew = !s.Current && len(today.Pieces) > 0 && slices.ContainsFunc(fixtures, func(f footy.Fixture) bool {
		return p.Scope.Has(&f) && now.Sub(f.Match.Kickoff) < talkedOf
	})
	return s
}

// Known reports whether every goal that the reel shows is stored, whatever became of it.
func (p Plan) Known(fixtures []footy.Fixture) bool {
	stored := map[string]bool{}
	for _, f := range fixtures {
		for _, e := range f.Events {
			stored[e.UID] = true
		}
	}
	return !slices.ContainsFunc(p.Pieces, func(piece Piece) bool { return !stored[piece.EventUID] })
}

// Budget is how many bytes reels and their pieces may take in the clip store: nearly two hours of film at the most that a second may take.
const Budget = 4 << 30

// Stored is a reel that lies in the clip store.
type Stored struct {
	Key  string
	Size int64
	Used time.Time // when it was made, or last watched

	Watched  time.Time // last; zero: by nobody
	Outdated bool      // it would be made otherwise now
}

// Surplus are the reels that make as much room: outdated ones first, then those that were used longest ago; none that was used within idle,
// of outdated ones none that was watched within idle.
func Surplus(all []Stored, room int64, now time.Time, idle time.Duration) []Stored {
	all = slices.DeleteFunc(slices.Clone(all), func(s Stored) bool {
		if s.Outdated {
			s.Used = s.Watched
		}
		return now.Sub(s.Used).Abs() < idle // Abs: what was used long after now was used by a clock that was ahead
	})
	slices.SortFunc(all, func(a, b Stored) int {
		if a.Outdated != b.Outdated {
			if a.Outdated {
				return -1
			}
			return 1
		}
		return a.Used.Compare(b.Used)
	})
	n := 0
	for ; n < len(all) && room > 0; n++ {
		room -= all[n].Size
	}
	return all[:n]
}

// State of the making of a reel.
type State string

// The states; "" = nobody asked for it, or it was long ago.
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

// Job names the making of a reel of that length; whoever asks for the same while it is made asks for that one.
func Job(s Scope, asked time.Duration) string {
	if asked <= 0 {
		return "reel-" + s.Name()
	}
	return "reel-" + s.Name() + "-" + asked.String()
}
