package push

import (
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/decide/news"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/words"
)

// Message is what the service worker shows.
type Message struct {
	Tag   string    `json:"tag"` // a later message about the same goal takes the place of the former
	Title string    `json:"title"`
	Body  string    `json:"body"`
	Lang  string    `json:"lang,omitempty"`
	URL   string    `json:"url"`
	Again bool      `json:"again"` // it is heard, although another is shown under the tag
	At    time.Time `json:"at"`
}

// told is what was sent to a device; it is kept under the device's slot, so that devices that come and go leave nothing behind.
type told struct {
	Device    string      `json:"device"`
	Goals     news.Record `json:"goals"`
	NotBefore time.Time   `json:"not_before,omitzero"`
	Tries     int         `json:"tries,omitempty"`   // that a push service put off, one after the other
	Refused   int         `json:"refused,omitempty"` // that it did not take at all, one after the other
	After     time.Time   `json:"after,omitzero"`    // when the record could not be read: what was scored before may have been sent
}

// item is a message with the record before and after it.
type item struct {
	uid       string
	was, next news.Told
	message   Message
}

const clockForm = "15:04"

// newsFor is what was not sent to a device yet, oldest first.
func newsFor(fixtures []footy.Fixture, d Device, t told, now time.Time) []item {
	var out []item
	if d.Wish.quiet(now) {
		return nil
	}
	for f, e := range d.Wish.Events(fixtures) {
		n, ok := newsOf(f, e, d.Wish, t.Goals[e.UID], now)
		if ok && news.Fresh(n.message.At, d.Since, now) && news.Fresh(news.ScoredAt(e), time.Time{}, now) && !d.Wish.quiet(n.message.At) {
			out = append(out, n)
		}
	}
	slices.SortStableFunc(out, func(a, b item) int { return a.message.At.Compare(b.message.At) })
	return out
}

func newsOf(f *footy.Fixture, e *footy.Event, w Wish, was news.Told, now time.Time) (item, bool) {
	var clip *footy.Clip
	if w.Clips {
		clip = news.Best(e, false)
	}
	change, next := news.Of(e, clip, "", was, now)
	at := now
	var what string
	l := words.Named(w.Language)
	switch {
	case change == news.Certain && w.Goals:
		at, what = e.CertainAt, "Goal: %s"
	case change == news.FirstClip:
		first := slices.MinFunc(e.VisibleClips(), func(a, b footy.Clip) int { return a.AddedAt.Compare(b.AddedAt) })
		at, what = first.AddedAt, "Clip: %s"
	case change == news.Removed:
		what = "No longer stands: %s"
	case change == news.Reinstated:
		what = "Stands again: %s"
	default:
		return item{}, false
	}
	m := Message{Tag: e.UID, Lang: l.Tag, Title: l.T(what, footy.Label(*e)), Body: explain.Standing(f, e) + " · " + f.League.Name, URL: footy.GoalPath(e.ID), Again: !was.At.IsZero(), At: at}
	if w.SpoilerFree { // not even that it was a goal
		m.Title, m.Body = f.Teams.Home.Name+" v "+f.Teams.Away.Name, l.T("There is news of this match.")
	}
	m.Title, m.Body = explain.WithoutMentions(m.Title), explain.WithoutMentions(m.Body)
	return item{e.UID, was, next, m}, true
}

// quiet reports whether the device wants to hear nothing at that time, by the clock on its wall.
func (w Wish) quiet(at time.Time) bool {
	zone, err := time.LoadLocation(w.Zone)
	if w.QuietFrom == "" || w.QuietTo == "" || err != nil {
		return false
	}
	clock := at.In(zone).Format(clockForm)
	if w.QuietFrom <= w.QuietTo {
		return clock >= w.QuietFrom && clock < w.QuietTo
	}
	return clock >= w.QuietFrom || clock < w.QuietTo
}

// keptFor is how long a push service may keep a message for a device that is away: an hour, and never into its quiet hours.
func (w Wish) keptFor(now time.Time) time.Duration {
	const longest, step = time.Hour, time.Minute
	for d := step; d < longest; d += step {
		if w.quiet(now.Add(d)) {
			return d - step
		}
	}
	return longest
}
