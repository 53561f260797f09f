package posting

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

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

// minEditInterval is between two edits that only bring a better clip.
const minEditInterval = time.Minute

// situation is what a decision rests on.
type situation struct {
	event    *footy.Event
	was      footy.Posting // zero: never posted
	says     string        // digest of what would be said now
	clip     *footy.Clip   // that would be shown; nil: none
	traits   Traits
	verified bool // only with a verified clip
	since    time.Time
	now      time.Time
}

// next decides; it is pure.
func next(s situation) step {
	if s.now.Before(s.was.NextTry) {
		return nothing
	}
	ready := s.clip != nil || !s.verified && s.traits.Edits
	switch s.was.Step {
	case footy.PostingBegun:
		if !s.now.Before(s.was.Until) {
			return resolve
		}
	case footy.PostingNone, footy.PostingDeleted:
		change, _ := news.Of(s.event, s.clip, s.says, news.Told{}, s.now)
		if change != news.Nothing && ready && s.was.Refused != s.says && (s.was.Asked || s.fresh()) {
			return create
		}
	case footy.PostingDone:
		return s.keep(ready)
	}
	return nothing
}

func (s situation) fresh() bool {
	return news.Fresh(s.event.CertainAt, s.since.Add(-news.Grace), s.now)
}

// keep decides about a post that stands at the service.
func (s situation) keep(ready bool) step {
	change, _ := news.Of(s.event, s.clip, s.says, news.Told{At: s.was.At, Clip: s.was.Clip, Text: s.was.Says}, s.now)
	switch {
	case change == news.Removed, change == news.Withdrawn && (!s.traits.Edits || s.clip == nil): // without another clip it is posted anew, as text
		return remove
	case !s.traits.Edits || s.was.Says == s.says || s.was.Refused == s.says || !ready && s.was.Clip != "":
		return nothing
	case change == news.BetterClip && s.now.Sub(s.was.At) < minEditInterval:
		return nothing
	}
	return edit
}

// digest names what a post says and shows.
func digest(text, clip string, file bool) string {
	if !file {
		clip = ""
	}
	sum := sha256.Sum256([]byte(text + "\x00" + clip))
	return hex.EncodeToString(sum[:8])
}

// pause is how long after n failures the next try is.
func pause(n int) time.Duration {
	return min(15*time.Second<<min(n, 10), 15*time.Minute)
}
