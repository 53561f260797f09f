// Package news decides what of an event is news to somebody, and to whom: notifications, devices and our own posts follow it.
package news

import (
	"iter"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Change is what happened to an event since somebody was told of it.
type Change string

// The changes. Notifications and devices ignore those between FirstClip and Removed; a post is edited.
const (
	Nothing    Change = ""
	Certain    Change = "certain"
	FirstClip  Change = "first clip" // with the event itself, if that was not told
	BetterClip Change = "better clip"
	Withdrawn  Change = "withdrawn" // the clip that was told of was hidden or taken down
	Corrected  Change = "corrected"
	Removed    Change = "removed"
	Reinstated Change = "reinstated"
)

// Told is what somebody was told of an event.
type Told struct {
	At      time.Time `json:"at"` // of the last message; zero: never told
	Clip    string    `json:"clip,omitempty"`
	Text    string    `json:"text,omitempty"` // digest of what a post says; "" where corrections are not told
	Removed bool      `json:"removed,omitempty"`
}

// Same reports whether both are the same message.
func (t Told) Same(o Told) bool {
	return t.At.Equal(o.At) && t.Clip == o.Clip && t.Text == o.Text && t.Removed == o.Removed
}

// Record is what somebody was told, by event uid.
type Record map[string]Told

const (
	// Grace is how old an event may be when somebody is told for the first time.
	Grace = 20 * time.Minute
	// LookBack is how long before now a match may have begun whose events are news.
	LookBack = 8 * time.Hour

	tooLate   = 3 * time.Hour
	forgotten = 48 * time.Hour
)

// Forget drops what is too old to matter.
func (r Record) Forget(now time.Time) {
	for uid, t := range r {
		if now.Sub(t.At) > forgotten {
			delete(r, uid)
		}
	}
}

// Of compares an event, with the clip and the text to be shown now, with what was told. It returns what is news and what will have
// been told then. A nil clip is none.
func Of(e *footy.Event, clip *footy.Clip, text string, was Told, now time.Time) (Change, Told) {
	next := was
	next.At = now
	told := !was.At.IsZero()
	switch {
	case e.Removed && told && !was.Removed:
		next.Removed = true
		return Removed, next
	case e.Removed || !e.Certain():
		return Nothing, was
	case was.Removed:
		next.Removed = false
		return Reinstated, next
	}
	next.Text = text
	if clip != nil {
		next.Clip = clip.ID
	}
	switch {
	case clip != nil && was.Clip == "":
		return FirstClip, next
	case !told:
		return Certain, next
	case IsWithdrawn(e, was.Clip):
		return Withdrawn, next
	case clip != nil && clip.ID != was.Clip:
		return BetterClip, next
	case text != was.Text:
		return Corrected, next
	}
	return Nothing, was
}

// IsWithdrawn reports whether a clip was hidden or taken down, or one that replaced it.
func IsWithdrawn(e *footy.Event, clip string) bool {
	return slices.ContainsFunc(e.Replacements(clip), func(id string) bool {
		c := e.Clip(id)
		return c != nil && c.Hidden
	})
}

// Best is the clip to show, a verified one where that is required; nil if there is none.
func Best(e *footy.Event, verified bool) *footy.Clip {
	for _, c := range e.VisibleClips() {
		if c.Verified || !verified {
			return &c
		}
	}
	return nil
}

// Fresh reports whether what happened at a time is still news to somebody who is told since then.
func Fresh(at, since, now time.Time) bool {
	return at.After(since) && now.Sub(at) <= tooLate
}

// ScoredAt is about when an event happened: one that is seen again, by a state that was restored say, is as old as it was. The estimate
// of the feed's clock errs towards too early.
func ScoredAt(e *footy.Event) time.Time {
	if e.HappenedAt.IsZero() {
		return e.CertainAt
	}
	return e.HappenedAt
}

// Filter chooses the events that somebody is told of.
type Filter struct {
	All     bool         `json:"all"`     // every match that is followed here
	Teams   []int64      `json:"teams"`   // else those of these teams
	Leagues []int64      `json:"leagues"` // and of these competitions
	Kinds   []footy.Kind `json:"-"`       // empty: goals
	After   time.Time    `json:"-"`       // the last restore: of what was scored before, nobody knows what was told
}

// Wants reports whether an event of a match is chosen.
func (f Filter) Wants(x *footy.Fixture, e *footy.Event) bool {
	if ScoredAt(e).Before(f.After) {
		return false
	}
	kind := e.Kind == footy.KindGoal
	if len(f.Kinds) > 0 {
		kind = slices.Contains(f.Kinds, e.Kind)
	}
	return kind && (f.All || slices.Contains(f.Leagues, x.League.ID) || slices.Contains(f.Teams, x.Teams.Home.ID) || slices.Contains(f.Teams, x.Teams.Away.ID))
}

// Events are the chosen events of these matches.
func (f Filter) Events(all []footy.Fixture) iter.Seq2[*footy.Fixture, *footy.Event] {
	return func(yield func(*footy.Fixture, *footy.Event) bool) {
		for x, e := range footy.Events(all) {
			if f.Wants(x, e) && !yield(x, e) {
				return
			}
		}
	}
}
