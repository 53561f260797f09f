package alert

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/decide/news"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/health"
)

// Record is what a target was told already; it is stored, so that a restart repeats nothing.
type Record struct {
	Since time.Time             `json:"since"` // of the first look: what was scored long before it is no news
	Goals news.Record           `json:"goals"`
	Parts map[string]PartRecord `json:"parts"` // by the name of a part of the product
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

// GoalMessages says what is to be told about goals: each once as text when it is certain, once more when its first clip is
// there, and once if it no longer stands.
func GoalMessages(fixtures []footy.Fixture, told Record, filter news.Filter, base string, now time.Time) []Message {
	var out []Message
	for f, e := range filter.Events(fixtures) {
		was := told.Goals[e.UID]
		change, next := news.Of(e, news.Best(e, false), "", was, now)
		first := was.At.IsZero()
		if first && !news.Fresh(news.ScoredAt(e), told.Since.Add(-news.Grace), now) {
			continue
		}
		goal, link := explain.Goal(f, e), base+footy.GoalPath(e.ID)
		var text string
		switch {
		case change == news.Certain:
			text = "⚽ " + goal
		case change == news.FirstClip && first:
			text = "⚽ " + goal + "\n🎬 " + link
		case change == news.FirstClip:
			text = "🎬 " + goal + "\n" + link
		case change == news.Removed:
			text = "❌ No longer stands: " + goal
		case change == news.Reinstated:
			text = "↩️ Stands again: " + goal
		default:
			continue
		}
		out = append(out, Message{Text: text, record: func(t *Record) { t.Goals[e.UID] = next }})
	}
	return out
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
