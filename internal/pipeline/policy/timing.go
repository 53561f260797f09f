package policy

import (
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/decide/post/round"
)

// Timing holds the intervals of the product. It travels in workflow inputs, already scaled.
type Timing struct {
	SearchEvery  time.Duration `json:"attempt_every"` // between two searches of a goal where SearchAt does not say
	SearchPause  time.Duration `json:"attempt_min"`   // shortest pause between the end of one and the start of the next
	UnusableWait time.Duration `json:"unusable_wait"` // added to the wait for each unusable search in a row
	SearchFloor  time.Duration `json:"search_floor"`  // posts older than the goal by more than this are of no use
	Window       time.Duration `json:"window"`        // a search round ends this long after it opened
	Blocked      time.Duration `json:"blocked"`       // time in which nobody could search is added to the window, up to this
	UploadIdle   time.Duration `json:"upload_idle"`   // Upload ends after this long without a Download
	Searches     int           `json:"attempts"`      // usable searches wanted
	MaxSearches  int           `json:"tries"`         // searches at most, usable or not
	BatchSize    int           `json:"batch_size"`    // longest new candidates taken per search
	// When each usable search of a round is due, since it was opened. Empty in workflows of earlier releases: they go by SearchEvery.
	SearchAt []time.Duration `json:"attempts_at,omitempty"`

	CommentsAfter time.Duration `json:"comments_after,omitempty"` // comments of a goal's posts are read if it has no clip then; 0 = never
	CommentsAgain time.Duration `json:"comments_again,omitempty"` // and a second time so long after the first
}

// Defaults are the product's own numbers.
func Defaults() Timing {
	return Timing{
		SearchEvery:  time.Minute,
		SearchPause:  10 * time.Second,
		UnusableWait: 30 * time.Second,
		SearchFloor:  3 * time.Minute,
		Window:       45 * time.Minute,
		Blocked:      6 * time.Hour,
		UploadIdle:   5 * time.Minute,
		Searches:     10,
		MaxSearches:  15,
		BatchSize:    5,
		SearchAt:     searchAt(),

		CommentsAfter: 3 * time.Minute,
		CommentsAgain: 4 * time.Minute,
	}
}

// searchAt is dense while the first clips appear, 40 to 150 s after the goal, and sparser for the better ones that come later. One search
// takes up to half a minute. The last comes before a match is followed no more (lifecycle.Windows.Played), and no pause is so long that
// it would pass for one in which nobody searches (round.Limits). docs/bench.md compares it with one a minute.
func searchAt() []time.Duration {
	var out []time.Duration
	for _, s := range []int{0, 30, 60, 90, 150, 210, 300, 480, 720, 1200} {
		out = append(out, time.Duration(s)*time.Second)
	}
	return out
}

// Scaled divides every interval by n, for demonstrations; counts stay.
func (t Timing) Scaled(n int) Timing {
	for _, d := range []*time.Duration{&t.SearchEvery, &t.SearchPause, &t.UnusableWait, &t.SearchFloor, &t.Window, &t.Blocked, &t.UploadIdle,
		&t.CommentsAfter, &t.CommentsAgain} {
		*d /= time.Duration(n)
	}
	t.SearchAt = slices.Clone(t.SearchAt)
	for i := range t.SearchAt {
		t.SearchAt[i] /= time.Duration(n)
	}
	return t
}

// Lowest is the priority of what has time; the engine knows five.
const Lowest = 5

// Around is how far from a match's kickoff others begin whose goals are posted at the same time.
const Around = 6 * time.Hour

// Priority of a goal's searches by its age, 1 first: early searches find what everybody wants to see, and goals that are caught up,
// after an outage or a start in mid-match, hold nobody back.
func (t Timing) Priority(age time.Duration) int {
	return min(1+int(age/max(t.SearchEvery, 1))/3, Lowest)
}

// Limits are how long a round searches.
func (t Timing) Limits() round.Limits {
	return round.Limits{Searches: t.Searches, Tries: t.MaxSearches, Window: t.Window, Blocked: t.Blocked, At: t.SearchAt,
		CommentsAfter: t.CommentsAfter, CommentsAgain: t.CommentsAgain}
}
