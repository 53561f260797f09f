package alert

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/decide/news"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/health"
)

// Record is what a target got already; it is stored, so that a restart repeats nothing.
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
	Told     []time.Time  `json:"told,omitempty"`     // when changes were said lately
	Flapping bool         `json:"flapping,omitempty"` // it was said that it changes all the time; Pending is its state
}

// said is the record once a state was said.
func (r PartRecord) said(state health.State, now time.Time) PartRecord {
	return PartRecord{Reported: state, Told: append(r.lately(now), now)}
}

// lately are the changes that were said within the hour.
func (r PartRecord) lately(now time.Time) []time.Time {
	return slices.DeleteFunc(slices.Clone(r.Told), func(at time.Time) bool { return now.Sub(at) >= time.Hour })
}

// Message is one thing to say, and what the record has after it was sent.
type Message struct {
	Text   string
	Fields map[string]string // for webhooks
	record func(*Record)
}

// GoalMessages says what is to be sent about goals: each once as text when it is certain, once more when its first clip is
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
		var text, kind string
		switch {
		case change == news.Certain:
			kind, text = "goal", "⚽ "+goal
		case change == news.FirstClip && first:
			kind, text = "goal", "⚽ "+goal+"\n🎬 "+link
		case change == news.FirstClip:
			kind, text = "clip", "🎬 "+goal+"\n"+link
		case change == news.Removed:
			kind, text = "cancelled", "❌ No longer stands: "+goal
		case change == news.Reinstated:
			kind, text = "reinstated", "↩️ Stands again: "+goal
		default:
			continue
		}
		out = append(out, Message{Text: text, Fields: fields(kind, f, e, base), record: func(t *Record) { t.Goals[e.UID] = next }})
	}
	return out
}

// fields say a goal to programs; those of a clip only where there is one.
func fields(kind string, f *footy.Fixture, e *footy.Event, base string) map[string]string {
	out := map[string]string{"kind": kind, "event_id": e.ID, "match_id": fmt.Sprint(f.ID), "scorer": e.Player.Name, "minute": footy.MinuteLabel(e.Minute), "league": f.League.Name,
		"home": f.Teams.Home.Name, "away": f.Teams.Away.Name, "side": string(cmp.Or(e.ScoringTeam, f.Teams.Side(e.Team.ID))), "page": base + footy.GoalPath(e.ID)}
	for name, n := range map[string]*int{"home_score": e.ScoreAfter.Home, "away_score": e.ScoreAfter.Away} {
		if n != nil {
			out[name] = fmt.Sprint(*n)
		}
	}
	if c := news.Best(e, false); c != nil && !e.Removed {
		out["clip"] = base + footy.ClipPath(e.UID, c.ID, c.Key)
		if c.PosterKey != "" {
			out["picture"] = base + footy.PosterPath(e.UID, c.ID)
		}
	}
	return out
}

// minDuration is how long a state must last before it is sent: a search that fails once is no news.
const minDuration = time.Minute

const (
	changesAnHour = 2         // of one part that are said; then that it flaps
	steadyAfter   = time.Hour // without a change a part flaps no more
)

// PartMessages says what is to be sent about the parts of the product, and what was seen without being sent yet.
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
		if state == was.Reported && !was.Flapping {
			next.Parts[p.Name] = PartRecord{Reported: state, Told: was.Told}
			continue
		}
		if was.Pending != state {
			was.Pending, was.Since = state, now
		}
		next.Parts[p.Name] = was
		lasted, name := now.Sub(was.Since), p.Name
		var text string
		after := was.said(state, now)
		switch {
		case was.Flapping && lasted < steadyAfter, lasted < minDuration:
			continue
		case was.Flapping:
			text = "Steady for an hour: " + healthLine(p, state)
		case len(was.lately(now)) >= changesAnHour:
			text = flapLine(p, state)
			after = was
			after.Flapping = true
		default:
			text = healthLine(p, state)
		}
		out = append(out, Message{Text: text, Fields: map[string]string{"kind": "health", "part": p.Name, "state": string(state)}, record: func(t *Record) { t.Parts[name] = after }})
	}
	return out, next
}

// flapLine says that a part changes too often to say each change.
func flapLine(p health.Part, state health.State) string {
	return "⚠️ " + p.Subject() + " flaps: it has changed " + explain.Plural(changesAnHour+1, "time", "times") + " within the hour. The next message comes once it was steady for an hour.\nNow: " +
		strings.TrimPrefix(healthLine(p, state), "⚠️ ")
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
