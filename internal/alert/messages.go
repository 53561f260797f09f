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

// Record is what a target was told already; it is stored, so that a restart repeats nothing.
type Record struct {
	Since time.Time             `json:"since"` // of the first look: what was certain long before it is no news
	Goals map[string]GoalRecord `json:"goals"` // by event uid
	Parts map[string]PartRecord `json:"parts"` // by the name of a part of the product
}

// GoalRecord is what was said about one goal.
type GoalRecord struct {
	At      time.Time `json:"at"`
	Clip    bool      `json:"clip,omitempty"`
	Removed bool      `json:"removed,omitempty"`
}

// PartRecord is the state of a part that was last said, and one that was seen since and is not old enough to be said.
type PartRecord struct {
	Reported health.State `json:"said"`
	Pending  health.State `json:"seen,omitempty"`
	Since    time.Time    `json:"since,omitzero"`
}

// Message is one thing to say, and what will have been told when it was said.
type Message struct {
	Text   string
	record func(*Record)
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
	newsAge = 20 * time.Minute // goals that were this old when notifications were switched on are no news
	tooLate = 3 * time.Hour    // nor are those that could not be told for so long
)

// GoalMessages says what is to be told about goals: each once as text when it is certain, once more when its first clip is
// there, and once if it no longer stands.
func GoalMessages(fixtures []footy.Fixture, told Record, filter Filter, base string, now time.Time) []Message {
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

func goal(f *footy.Fixture, e *footy.Event, told Record, base string, now time.Time) []Message {
	uid, was := e.UID, told.Goals[e.UID]
	said := !was.At.IsZero()
	record := func(change func(*GoalRecord)) func(*Record) {
		return func(t *Record) {
			g := t.Goals[uid]
			change(&g)
			t.Goals[uid] = g
		}
	}
	switch {
	case e.Removed && said && !was.Removed:
		return []Message{{Text: "❌ No longer stands: " + explain.Goal(f, e), record: record(func(g *GoalRecord) { g.Removed = true })}}
	case e.Removed || !e.Certain():
		return nil
	case was.Removed:
		return []Message{{Text: "↩️ Stands again: " + explain.Goal(f, e), record: record(func(g *GoalRecord) { g.Removed = false })}}
	case !said && (now.Sub(e.CertainAt) > tooLate || told.Since.Sub(e.CertainAt) > newsAge):
		return nil
	}
	clips := e.VisibleClips()
	link := base + footy.GoalPath(e.ID)
	switch {
	case !said && len(clips) > 0:
		return []Message{{Text: "⚽ " + explain.Goal(f, e) + "\n🎬 " + link, record: record(func(g *GoalRecord) { g.At, g.Clip = now, true })}}
	case !said:
		return []Message{{Text: "⚽ " + explain.Goal(f, e), record: record(func(g *GoalRecord) { g.At = now })}}
	case len(clips) > 0 && !was.Clip:
		return []Message{{Text: "🎬 " + explain.Goal(f, e) + "\n" + link, record: record(func(g *GoalRecord) { g.Clip = true })}}
	}
	return nil
}

// minDuration is how long a state must last before it is told: a search that fails once is no news.
const minDuration = time.Minute

// PartMessages says what is to be told about the parts of the product, and what was seen without being told yet.
func PartMessages(parts []health.Part, told Record, now time.Time) ([]Message, Record) {
	next := Record{Since: told.Since, Goals: told.Goals, Parts: maps.Clone(told.Parts)}
	if next.Parts == nil {
		next.Parts = map[string]PartRecord{}
	}
	var out []Message
	parts = slices.SortedFunc(slices.Values(parts), func(a, b health.Part) int { return strings.Compare(a.Name, b.Name) })
	for _, p := range parts {
		was, known := told.Parts[p.Name]
		if !known {
			was = PartRecord{Reported: health.StateOK} // a part that is down at the first look is news; one that is well is not
		}
		state := p.State
		if state == health.StateMissing {
			state = health.StateOK // not set up is a choice, not a fault
		}
		if state == was.Reported {
			next.Parts[p.Name] = PartRecord{Reported: state}
			continue
		}
		if was.Pending != state {
			was.Pending, was.Since = state, now
		}
		next.Parts[p.Name] = was
		if now.Sub(was.Since) < minDuration {
			continue
		}
		name := p.Name
		out = append(out, Message{Text: healthLine(p, state), record: func(t *Record) { t.Parts[name] = PartRecord{Reported: state} }})
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
func (t *Record) forget(now time.Time) {
	for uid, g := range t.Goals {
		if now.Sub(g.At) > 48*time.Hour {
			delete(t.Goals, uid)
		}
	}
}
