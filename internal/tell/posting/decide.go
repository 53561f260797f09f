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
	watch   step = "watch" // whether people see its video
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
	call     time.Duration // what one may take
}

// Idle is why nothing is done about a goal.
type Idle string

// Why nothing is done. What a service asked to be left alone for is known to the process that posts, and not told here.
const (
	IdleNotChosen Idle = "not_chosen" // POST_KINDS, POST_TEAMS and POST_LEAGUES leave it out, or it was scored before the last restore
	IdleGoal      Idle = "no_goal"    // it is not certain yet, or was removed
	IdleClip      Idle = "no_clip"    // that POST_WHEN asks for, or that a service needs which edits no posts
	IdleOld       Idle = "too_old"    // it was scored long ago, or before the target was set up
	IdleRefused   Idle = "refused"    // the service refused this very post
	IdleLater     Idle = "later"      // its next try is still to come, or a process is posting it
	IdleDone      Idle = "as_it_is"   // its post says and shows what it should, or must not be touched
)

// next decides what is to be done, or why nothing is; it is pure.
func next(s situation) (step, Idle) {
	wrong := s.was.At.After(s.now.Add(cycle.ClocksDiffer))
	if !wrong && s.waits(s.was.NextTry, longestPause) { // what a service asked for beyond that, Target.rest keeps
		return nothing, IdleLater
	}
	ready := s.clip != nil || !s.verified && s.edits
	switch s.was.Step {
	case footy.PostingBegun:
		if s.waits(s.was.Until, s.call) {
			return nothing, IdleLater
		}
		return resolve, ""
	case footy.PostingNone, footy.PostingDeleted:
		return s.begin(ready)
	case footy.PostingDone:
		do, why := s.keep(ready)
		if do == nothing && !s.was.LookAt.IsZero() && !s.waits(s.was.LookAt, lookAgain) {
			return watch, ""
		}
		return do, why
	}
	return nothing, IdleDone
}

// begin decides about a goal of which nothing stands at the service.
func (s situation) begin(ready bool) (step, Idle) {
	change, _ := news.Of(s.event, s.clip, s.says, news.Told{}, s.now)
	switch {
	case change == news.Nothing:
		return nothing, IdleGoal
	case !s.wanted && !s.was.Asked:
		return nothing, IdleNotChosen
	case s.was.Refused == s.says:
		return nothing, IdleRefused
	case !ready:
		return nothing, IdleClip
	case !s.was.Asked && !s.fresh():
		return nothing, IdleOld
	}
	return create, ""
}

// waits reports whether a time is still to come. One that is further off than anything may wait was written while a clock was ahead.
func (s situation) waits(until time.Time, most time.Duration) bool {
	return s.now.Before(until) && !until.After(s.now.Add(most+cycle.ClocksDiffer))
}

func (s situation) fresh() bool {
	return news.Fresh(news.ScoredAt(s.event), s.since.Add(-news.Grace), s.now)
}

// keep decides about a post that stands at the service.
func (s situation) keep(ready bool) (step, Idle) {
	change, _ := news.Of(s.event, s.clip, s.says, news.Told{At: s.was.At, Clip: s.was.Clip, Text: s.was.Says}, s.now)
	switch {
	case change == news.Removed, change == news.Withdrawn && (!s.edits || s.clip == nil): // without another clip it is posted anew, as text
		return remove, ""
	case !s.edits || s.was.Says == s.says:
		return nothing, IdleDone
	case s.was.Refused == s.says:
		return nothing, IdleRefused
	case !ready && s.was.Clip != "":
		return nothing, IdleDone
	case change == news.BetterClip && s.waits(s.was.At.Add(minEditInterval), minEditInterval):
		return nothing, IdleLater
	}
	return edit, ""
}

// digest names what a post says and shows.
func digest(text, clip string, file bool) string {
	if !file {
		clip = ""
	}
	sum := sha256.Sum256([]byte(text + "\x00" + clip))
	return hex.EncodeToString(sum[:8])
}

const longestPause = 15 * time.Minute

// pause is how long after n failures the next try is.
func pause(n int) time.Duration {
	return min(15*time.Second<<min(n, 10), longestPause)
}
