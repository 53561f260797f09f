// Package rule decides about posts of our own: what is to be done about a goal at a target, what a post says, and how it stands.
package rule

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/cycle"
	"github.com/found-footy/found-footy/internal/decide/news"
	"github.com/found-footy/found-footy/internal/footy"
)

// Action is what is to be done about one goal at one target.
type Action string

// The actions.
const (
	Nothing Action = ""
	Create  Action = "create"
	GiveUp  Action = "give up" // a create whose answer is unknown
	Edit    Action = "edit"
	Remove  Action = "delete"
)

// Sends reports whether it takes a file to the service.
func (a Action) Sends(s Situation) bool {
	return s.Clip != nil && (a == Create || a == Edit)
}

// minEditInterval is between two edits that only bring a better clip.
const minEditInterval = time.Minute

// Situation is what a decision rests on.
type Situation struct {
	Event    *footy.Event
	Was      Posting     // zero: never posted
	Text     string      // that would be said now
	Says     string      // digest of it and the clip
	Clip     *footy.Clip // that would be shown; nil: none
	Edits    bool        // posts can be edited there
	Verified bool        // only with a verified clip
	Wanted   bool        // the filter chooses it
	Since    time.Time   // when the target was set up
	Now      time.Time
	Call     time.Duration // how long a call may take
}

// Next decides what is to be done.
func Next(s Situation) Action {
	wrong := s.Was.At.After(s.Now.Add(cycle.ClocksDiffer))
	if !wrong && s.waits(s.Was.NextTry, longestPause) { // a longer wait that a service asks for is Target.rest
		return Nothing
	}
	ready := s.Clip != nil || !s.Verified && s.Edits
	switch s.Was.Step {
	case Begun:
		if !s.waits(s.Was.Until, s.Call) {
			return GiveUp
		}
	case None, Deleted:
		return s.begin(ready)
	case Done:
		return s.keep(ready)
	}
	return Nothing
}

func (s Situation) begin(ready bool) Action {
	change, _ := news.Of(s.Event, s.Clip, s.Says, news.Told{}, s.Now)
	if change == news.Nothing || !ready || s.Was.Refused == s.Says || !s.Was.Asked && !(s.Wanted && s.Fresh()) {
		return Nothing
	}
	return Create
}

// waits reports whether a time is still to come. One that is further off than anything may wait was written while a clock was ahead.
func (s Situation) waits(until time.Time, most time.Duration) bool {
	return s.Now.Before(until) && !until.After(s.Now.Add(most+cycle.ClocksDiffer))
}

// Fresh reports whether the goal is new enough to be posted.
func (s Situation) Fresh() bool {
	return news.Fresh(news.ScoredAt(s.Event), s.Since.Add(-news.Grace), s.Now)
}

func (s Situation) keep(ready bool) Action {
	change, _ := news.Of(s.Event, s.Clip, s.Says, news.Told{At: s.Was.At, Clip: s.Was.Clip, Text: s.Was.Says}, s.Now)
	switch {
	case change == news.Removed, change == news.Withdrawn && (!s.Edits || s.Clip == nil): // without another clip it is posted anew, as text
		return Remove
	case !s.Edits, s.Says == s.Was.Says, s.Says == s.Was.Refused, !ready && s.Was.Clip != "",
		change == news.BetterClip && s.waits(s.Was.At.Add(minEditInterval), minEditInterval):
		return Nothing
	}
	return Edit
}

// Digest names what a post says and shows.
func Digest(text, clip string) string {
	sum := sha256.Sum256([]byte(text + "\x00" + clip))
	return hex.EncodeToString(sum[:8])
}

const longestPause = 15 * time.Minute

// Pause is how long after n failures the next try is.
func Pause(n int) time.Duration {
	return min(15*time.Second<<min(n, 10), longestPause)
}
