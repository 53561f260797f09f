package debounce

import (
	"github.com/found-footy/found-footy/internal/decide/match/identity"
	"github.com/found-footy/found-footy/internal/footy"
)

// correct takes over what the feed says differently now: the event is re-keyed in place and keeps its clips, its
// sightings and when it was first seen.
func (d *decider) correct(e *footy.Event, l footy.FeedEvent) {
	c := compare(*e, l, d.p.Distrusted)
	if !c.any() {
		return
	}
	before := *e
	e.Player, e.Minute, e.Detail, e.Comments, e.Assist = c.after.Player, c.after.Minute, c.after.Detail, c.after.Comments, c.after.Assist
	identity.Rekey(d.f, e)
	d.markChanged(e)
	identityChanged := recordIdentity(e, d.p.Now)
	if c.scorer == ReasonCorrected || c.scorer == ReasonIdentified {
		// This poll's own vote comes after this. A certain event takes votes again, because its scorer is not certain any more.
		e.ScorerPolls = 0
	}
	if identityChanged && d.o.ResetOnChange && !e.Certain() {
		e.Votes, e.ScorerPolls = nil, 0
	}
	if c.scorer != "" {
		kind := footy.EntryRenamed
		if c.scorer == ReasonSpelling {
			kind = footy.EntryChanged
		}
		d.note(e, kind, c.scorer, footy.Evidence{From: &before.Player, To: at(e.Player), OldID: before.ID, NewID: e.ID})
	}
	if c.minute {
		d.note(e, footy.EntryChanged, ReasonMinute, footy.Evidence{Before: &before.Minute})
	}
	if c.detail {
		d.note(e, footy.EntryChanged, ReasonDetail, footy.Evidence{Listed: e.Detail, Was: before.Detail})
	}
	if c.assist {
		d.note(e, footy.EntryChanged, ReasonAssist, footy.Evidence{To: at(e.Assist)})
	}
}

func (d *decider) markChanged(e *footy.Event) {
	e.UpdatedAt = d.p.Now
	d.changed = true
}

func (d *decider) note(e *footy.Event, kind footy.EntryKind, why footy.Reason, data footy.Evidence) {
	data.What, data.Time = e.Kind, at(e.Minute)
	if identity.Named(e.Player) {
		data.Player = e.Player.Name
	}
	d.decisions = append(d.decisions, Decision{Kind: kind, EventUID: e.UID, EventID: e.ID, Reason: why, Data: data,
		ScoreBefore: e.ScoreBefore, ScoreAfter: e.ScoreAfter})
}

// addScores puts the score around each event on its decisions, as it is after this poll.
func (d *decider) addScores() {
	for i := range d.decisions {
		if e := d.f.Event(d.decisions[i].EventUID); e != nil {
			d.decisions[i].ScoreBefore, d.decisions[i].ScoreAfter = e.ScoreBefore, e.ScoreAfter
		}
	}
}

// at is the address of a copy: evidence must not change with the event.
func at[T any](v T) *T { return &v }
