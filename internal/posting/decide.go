package posting

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"

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

const (
	newsAge = 20 * time.Minute // goals that were this old when a target was set up are not posted
	tooLate = 3 * time.Hour    // nor are those that could not be posted for so long
	calm    = time.Minute      // between two edits that only bring a better clip
)

// situation is what a decision rests on.
type situation struct {
	event  *footy.Event
	was    footy.Posting // zero: never posted
	says   string        // digest of what would be said now
	clip   *footy.Clip   // that would be shown; nil: none
	traits Traits
	rules  Rules
	since  time.Time
	now    time.Time
}

// next decides; it is pure.
func next(s situation) step {
	stands := s.event.Standing() && s.event.Certain()
	ready := s.clip != nil || !s.rules.Verified && s.traits.Edits
	switch s.was.Step {
	case footy.PostingBegun:
		if s.now.Before(s.was.Until) || s.now.Before(s.was.NextTry) {
			return nothing
		}
		return resolve
	case footy.PostingNone, footy.PostingDeleted:
		switch {
		case !stands || !ready || s.now.Before(s.was.NextTry) || s.was.Refused == s.says,
			!s.was.Asked && (s.now.Sub(s.event.CertainAt) > tooLate || s.since.Sub(s.event.CertainAt) > newsAge):
			return nothing
		}
		return create
	case footy.PostingDone:
		return s.keep(stands, ready)
	}
	return nothing
}

// keep decides about a post that stands at the service.
func (s situation) keep(stands, ready bool) step {
	withdrawn := s.withdrawn()
	switch {
	case s.now.Before(s.was.NextTry):
		return nothing
	case !stands, withdrawn && (!s.traits.Edits || s.clip == nil): // without another clip it is posted anew, as text
		return remove
	case !s.traits.Edits || s.was.Says == s.says || s.was.Refused == s.says || !ready && s.was.Clip != "":
		return nothing
	case !withdrawn && s.clip != nil && s.clip.ID != s.was.Clip && s.was.Clip != "" && s.now.Sub(s.was.At) < calm:
		return nothing
	}
	return edit
}

// withdrawn reports whether the clip it shows was hidden or taken down, or the one that replaced it.
func (s situation) withdrawn() bool {
	return slices.ContainsFunc(s.event.Replacements(s.was.Clip), func(id string) bool {
		c := s.event.Clip(id)
		return c != nil && c.Hidden
	})
}

// best is the clip to show; nil if there is none.
func best(e *footy.Event, verified bool) *footy.Clip {
	for _, c := range e.VisibleClips() {
		if c.Verified || !verified {
			return &c
		}
	}
	return nil
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
