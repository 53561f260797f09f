package push

import (
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/explain"
	"github.com/found-footy/found-footy/internal/footy"
)

// Message is what the service worker shows.
type Message struct {
	Tag   string    `json:"tag"` // a later message about the same goal takes the place of the former
	Title string    `json:"title"`
	Body  string    `json:"body"`
	URL   string    `json:"url"`
	Again bool      `json:"again"` // it is heard, although another is shown under the tag
	At    time.Time `json:"at"`
}

// told is what a device was told; it is kept under the device's slot, so that devices that come and go leave nothing behind.
type told struct {
	Device    string              `json:"device"`
	Goals     map[string]goalTold `json:"goals"` // by event uid
	NotBefore time.Time           `json:"not_before,omitzero"`
	Tries     int                 `json:"tries,omitempty"`   // that a push service put off, one after the other
	Refused   int                 `json:"refused,omitempty"` // that it did not take at all, one after the other
}

// goalTold is what was said about one goal.
type goalTold struct {
	At      time.Time `json:"at"`
	Goal    bool      `json:"goal,omitempty"`
	Clip    bool      `json:"clip,omitempty"`
	Removed bool      `json:"removed,omitempty"`
}

func (g goalTold) same(o goalTold) bool {
	return g.Goal == o.Goal && g.Clip == o.Clip && g.Removed == o.Removed
}

// news is a message with what is known before and after it.
type news struct {
	uid       string
	was, next goalTold
	message   Message
	at        time.Time // when it became true
}

const (
	tooLate   = 3 * time.Hour // what could not be told for so long is no news
	forgotten = 48 * time.Hour
	clockForm = "15:04"
)

// newsFor is what a device has not been told, oldest first.
func newsFor(fixtures []footy.Fixture, d Device, t told, now time.Time) []news {
	var out []news
	for i := range fixtures {
		f := &fixtures[i]
		if !d.Wish.wants(f) {
			continue
		}
		for j := range f.Events {
			e := &f.Events[j]
			if e.Kind != footy.KindGoal {
				continue
			}
			n, ok := newsOf(f, e, d.Wish, t.Goals[e.UID], now)
			if ok && n.at.After(d.Since) && now.Sub(n.at) <= tooLate && !d.Wish.quiet(n.at) && !d.Wish.quiet(now) {
				out = append(out, n)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b news) int { return a.at.Compare(b.at) })
	return out
}

func newsOf(f *footy.Fixture, e *footy.Event, w Wish, was goalTold, now time.Time) (news, bool) {
	n := news{uid: e.UID, was: was, next: was, at: e.CertainAt}
	n.next.At = now
	said := was.Goal || was.Clip
	clips := e.VisibleClips()
	var what string
	switch {
	case e.Removed && said && !was.Removed:
		n.next.Removed, n.at, what = true, now, "No longer stands"
	case e.Removed || !e.Certain():
		return n, false
	case was.Removed:
		n.next.Removed, n.at, what = false, now, "Stands again"
	case w.Clips && len(clips) > 0 && !was.Clip:
		n.next.Goal, n.next.Clip, n.at, what = true, true, firstClip(clips), "Clip"
	case w.Goals && !was.Goal:
		n.next.Goal, what = true, "Goal"
	default:
		return n, false
	}
	n.message = Message{Tag: e.UID, Title: what + ": " + footy.Label(*e), Body: explain.Standing(f, e) + " · " + f.League.Name, URL: footy.GoalPath(e.ID), Again: said, At: n.at}
	if w.SpoilerFree { // not even that it was a goal
		n.message.Title, n.message.Body = f.Teams.Home.Name+" v "+f.Teams.Away.Name, "There is news of this match."
	}
	return n, true
}

func firstClip(clips []footy.Clip) time.Time {
	first := clips[0].AddedAt
	for _, c := range clips {
		if c.AddedAt.Before(first) {
			first = c.AddedAt
		}
	}
	return first
}

func (w Wish) wants(f *footy.Fixture) bool {
	return w.All || slices.Contains(w.Leagues, f.League.ID) || slices.Contains(w.Teams, f.Teams.Home.ID) || slices.Contains(w.Teams, f.Teams.Away.ID)
}

// quiet tells whether the device wants to hear nothing at that time, by the clock on its wall.
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

// forget drops what is too old to matter.
func (t *told) forget(now time.Time) {
	for uid, g := range t.Goals {
		if now.Sub(g.At) > forgotten {
			delete(t.Goals, uid)
		}
	}
}
