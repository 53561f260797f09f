package alert

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/explain"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/health"
)

// Told is what a target was told already; it is stored, so that a restart repeats nothing.
type Told struct {
	Since time.Time           `json:"since"` // of the first look: what was certain long before it is no news
	Goals map[string]GoalTold `json:"goals"` // by event uid
	Parts map[string]PartTold `json:"parts"` // by the name of a part of the product
}

// GoalTold is what was said about one goal.
type GoalTold struct {
	At      time.Time `json:"at"`
	Clip    bool      `json:"clip,omitempty"`
	Removed bool      `json:"removed,omitempty"`
}

// PartTold is the state of a part that was last said, and one that was seen since and is not old enough to be said.
type PartTold struct {
	Said  health.State `json:"said"`
	Seen  health.State `json:"seen,omitempty"`
	Since time.Time    `json:"since,omitzero"`
}

// Message is one thing to say, and what will have been told when it was said.
type Message struct {
	Text string
	tell func(*Told)
}

// Filter chooses whose goals are told; empty lists choose all.
type Filter struct {
	Teams, Leagues []int64
}

// Wants reports whether a fixture is chosen.
func (f Filter) Wants(x *footy.Fixture) bool {
	if len(f.Teams) == 0 && len(f.Leagues) == 0 {
		return true
	}
	for _, id := range f.Leagues {
		if x.League.ID == id {
			return true
		}
	}
	for _, id := range f.Teams {
		if x.Teams.Home.ID == id || x.Teams.Away.ID == id {
			return true
		}
	}
	return false
}

const (
	fresh = 20 * time.Minute // goals that were this old when notifications were switched on are no news
	late  = 3 * time.Hour    // nor are those that could not be told for so long
)

// Goals says what is to be told about goals: each once as text when it is certain, once more when its first clip is
// there, and once if it no longer stands.
func Goals(fixtures []footy.Fixture, told Told, filter Filter, base string, now time.Time) []Message {
	var out []Message
	for i := range fixtures {
		f := &fixtures[i]
		if !filter.Wants(f) {
			continue
		}
		for j := range f.Events {
			if e := &f.Events[j]; e.Kind == footy.KindGoal {
				out = append(out, goal(f, e, told, base, now)...)
			}
		}
	}
	return out
}

func goal(f *footy.Fixture, e *footy.Event, told Told, base string, now time.Time) []Message {
	uid, was := e.UID, told.Goals[e.UID]
	said := !was.At.IsZero()
	record := func(change func(*GoalTold)) func(*Told) {
		return func(t *Told) {
			g := t.Goals[uid]
			change(&g)
			t.Goals[uid] = g
		}
	}
	switch {
	case e.Removed && said && !was.Removed:
		return []Message{{Text: "❌ No longer stands: " + explain.Goal(f, e), tell: record(func(g *GoalTold) { g.Removed = true })}}
	case e.Removed || !e.Certain():
		return nil
	case !said && (now.Sub(e.CertainAt) > late || told.Since.Sub(e.CertainAt) > fresh):
		return nil
	}
	clips := e.VisibleClips()
	link := base + footy.GoalPath(e.ID)
	switch {
	case !said && len(clips) > 0:
		return []Message{{Text: "⚽ " + explain.Goal(f, e) + "\n🎬 " + link, tell: record(func(g *GoalTold) { g.At, g.Clip = now, true })}}
	case !said:
		return []Message{{Text: "⚽ " + explain.Goal(f, e), tell: record(func(g *GoalTold) { g.At = now })}}
	case len(clips) > 0 && !was.Clip:
		return []Message{{Text: "🎬 " + explain.Goal(f, e) + "\n" + link, tell: record(func(g *GoalTold) { g.Clip = true })}}
	}
	return nil
}

// steady is how long a state must last before it is told: a search that fails once is no news.
const steady = time.Minute

// Health says what is to be told about the parts of the product, and what was seen without being told yet.
func Health(parts []health.Part, told Told, now time.Time) ([]Message, Told) {
	next := Told{Since: told.Since, Goals: told.Goals, Parts: maps.Clone(told.Parts)}
	if next.Parts == nil {
		next.Parts = map[string]PartTold{}
	}
	var out []Message
	parts = slices.SortedFunc(slices.Values(parts), func(a, b health.Part) int { return strings.Compare(a.Name, b.Name) })
	for _, p := range parts {
		was, known := told.Parts[p.Name]
		if !known {
			was = PartTold{Said: health.StateOK} // a part that is down at the first look is news; one that is well is not
		}
		state := p.State
		if state == health.StateMissing {
			state = health.StateOK // not set up is a choice, not a fault
		}
		if state == was.Said {
			next.Parts[p.Name] = PartTold{Said: state}
			continue
		}
		if was.Seen != state {
			was.Seen, was.Since = state, now
		}
		next.Parts[p.Name] = was
		if now.Sub(was.Since) < steady {
			continue
		}
		name := p.Name
		out = append(out, Message{Text: healthLine(p, state), tell: func(t *Told) { t.Parts[name] = PartTold{Said: state} }})
	}
	return out, next
}

func healthLine(p health.Part, state health.State) string {
	if state == health.StateOK {
		return "✅ " + p.Subject() + " works again"
	}
	s := "⚠️ " + p.Subject() + " is " + string(state)
	if p.Reason != "" {
		s += ": " + p.Reason
	}
	if p.Remedy != "" {
		s += "\n" + p.Remedy
	}
	return s
}

// forget drops what is too old to matter.
func (t *Told) forget(now time.Time) {
	for uid, g := range t.Goals {
		if now.Sub(g.At) > 48*time.Hour {
			delete(t.Goals, uid)
		}
	}
}
