package posting

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/cycle"
	"github.com/found-footy/found-footy/internal/decide/news"
	"github.com/found-footy/found-footy/internal/footy"
)

// step is what is to be done about one goal at one target.
type step string

const (
	nothing step = ""
	create  step = "create"
	resolve step = "resolve" // an unanswered create
	edit    step = "edit"
	remove  step = "delete"
)

// sends reports whether it takes a file to the service.
func (d step) sends(s situation) bool {
	return s.clip != nil && (d == create || d == edit)
}

// minEditInterval is between two edits that only bring a better clip.
const minEditInterval = time.Minute

// situation is what a decision rests on.
type situation struct {
	event    *footy.Event
	was      footy.Posting // zero: never posted
	text     string        // that would be said now
	says     string        // digest of it and the clip
	clip     *footy.Clip   // that would be shown; nil: none
	edits    bool          // posts can be edited there
	verified bool          // only with a verified clip
	wanted   bool          // the filter chooses it
	since    time.Time
	now      time.Time
	call     time.Duration // how long a call may take
}

// next decides what is to be done; it is pure.
func next(s situation) step {
	wrong := s.was.At.After(s.now.Add(cycle.ClocksDiffer))
	if !wrong && s.waits(s.was.NextTry, longestPause) { // a longer wait that a service asks for is Target.rest
		return nothing
	}
	ready := s.clip != nil || !s.verified && s.edits
	switch s.was.Step {
	case footy.PostingBegun:
		if !s.waits(s.was.Until, s.call) {
			return resolve
		}
	case footy.PostingNone, footy.PostingDeleted:
		return s.begin(ready)
	case footy.PostingDone:
		return s.keep(ready)
	}
	return nothing
}

// begin decides about a goal that has no post at the service.
func (s situation) begin(ready bool) step {
	change, _ := news.Of(s.event, s.clip, s.says, news.Told{}, s.now)
	if change == news.Nothing || !ready || s.was.Refused == s.says || !s.was.Asked && !(s.wanted && s.fresh()) {
		return nothing
	}
	return create
}

// waits reports whether a time is still to come. One that is further off than anything may wait was written while a clock was ahead.
func (s situation) waits(until time.Time, most time.Duration) bool {
	return s.now.Before(until) && !until.After(s.now.Add(most+cycle.ClocksDiffer))
}

func (s situation) fresh() bool {
	return news.Fresh(news.ScoredAt(s.event), s.since.Add(-news.Grace), s.now)
}

// keep decides about a post that stands at the service.
func (s situation) keep(ready bool) step {
	change, _ := news.Of(s.event, s.clip, s.says, news.Told{At: s.was.At, Clip: s.was.Clip, Text: s.was.Says}, s.now)
	switch {
	case change == news.Removed, change == news.Withdrawn && (!s.edits || s.clip == nil): // without another clip it is posted anew, as text
		return remove
	case !s.edits, s.says == s.was.Says, s.says == s.was.Refused, !ready && s.was.Clip != "",
		change == news.BetterClip && s.waits(s.was.At.Add(minEditInterval), minEditInterval):
		return nothing
	}
	return edit
}

// digest names what a post says and shows.
func digest(text, clip string) string {
	sum := sha256.Sum256([]byte(text + "\x00" + clip))
	return hex.EncodeToString(sum[:8])
}

const longestPause = 15 * time.Minute

// pause is how long after n failures the next try is.
func pause(n int) time.Duration {
	return min(15*time.Second<<min(n, 10), longestPause)
}
