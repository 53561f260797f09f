package debounce

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/identity"
	"github.com/found-footy/found-footy/internal/footy"
)

// correct takes over what the feed says differently now: the event is re-keyed in place and keeps its clips, its
// sightings and when it was first seen. What the feed does not know (any more) changes nothing. A distrusted answer may name an unknown
// scorer, not correct a known one.
func (d *decider) correct(e *footy.Event, l footy.FeedEvent) {
	before := *e
	var scorer footy.Reason
	if e.Player, scorer = mergeScorer(e.Player, l.Player); d.p.Distrusted && (scorer == ReasonCorrected || scorer == ReasonSpelling) {
		e.Player, scorer = before.Player, ""
	}
	if !d.p.Distrusted {
		takeOver(e, l)
	}
	minute, assist := e.Minute != before.Minute, e.Assist != before.Assist
	detail := e.Detail != before.Detail || e.Comments != before.Comments
	if scorer == "" && !minute && !detail && !assist {
		return
	}
	identity.Rekey(d.f, e)
	d.markChanged(e)
	identityChanged := recordIdentity(e, d.p.Now)
	if scorer == ReasonCorrected || scorer == ReasonIdentified {
		// This poll's own vote comes after this. A certain event takes votes again, because its scorer is not certain any more.
		e.ScorerPolls = 0
	}
	if identityChanged && d.o.ResetOnChange && !e.Certain() {
		e.Votes, e.ScorerPolls = nil, 0
	}
	if scorer != "" {
		kind := footy.EntryRenamed
		if scorer == ReasonSpelling {
			kind = footy.EntryChanged
		}
		d.note(e, kind, scorer, footy.Evidence{From: &before.Player, To: new(e.Player), OldID: before.ID, NewID: e.ID})
	}
	if minute {
		d.note(e, footy.EntryChanged, ReasonMinute, footy.Evidence{Before: &before.Minute})
	}
	if detail {
		d.note(e, footy.EntryChanged, ReasonDetail, footy.Evidence{Listed: e.Detail, Was: before.Detail})
	}
	if assist {
		d.note(e, footy.EntryChanged, ReasonAssist, footy.Evidence{To: new(e.Assist)})
	}
}

// takeOver takes over what the feed says beside the scorer.
func takeOver(e *footy.Event, l footy.FeedEvent) {
	if l.Minute.Known() {
		e.Minute = l.Minute
	}
	if l.Detail != "" && !strings.EqualFold(l.Detail, e.Detail) {
		e.Detail = l.Detail
	}
	if l.Comments != "" && !strings.EqualFold(l.Comments, e.Comments) {
		e.Comments = l.Comments
	}
	e.Assist = mergeAssist(e.Assist, l.Assist)
}

func (d *decider) markChanged(e *footy.Event) {
	e.UpdatedAt = d.p.Now
	d.changed = true
}

// note tells of the event as it is now: evidence must not change with it.
func (d *decider) note(e *footy.Event, kind footy.EntryKind, why footy.Reason, data footy.Evidence) {
	data.What, data.Time = e.Kind, new(e.Minute)
	if identity.Named(e.Player) {
		data.Player = e.Player.Name
	}
	d.decisions = append(d.decisions, Decision{Entry: footy.Entry{FixtureID: d.f.ID, EventUID: e.UID, At: d.p.Now, Kind: kind, Reason: why, Data: data}})
}

func mergeScorer(have, said footy.Person) (footy.Person, footy.Reason) {
	if !identity.Named(said) {
		said.Name = ""
	}
	switch {
	case !identity.Known(said) || said == have:
		return have, ""
	case !identity.Known(have):
		return said, ReasonIdentified
	case have.ID != 0 && said.ID == have.ID:
		if said.Name == "" || said.Name == have.Name {
			return have, ""
		}
		if !identity.Named(have) {
			return said, ReasonIdentified
		}
		return said, ReasonSpelling
	case identity.SameName(have, said):
		if said.ID == 0 || have.ID != 0 { // the feed no longer gives the id it gave before, or numbers him twice
			return have, ""
		}
		return said, ReasonNumbered
	case said.ID == 0 && identity.Shortens(have, said):
		return have, "" // the same name, written shorter or longer: nothing is learned
	case have.ID == 0 && said.Name == "":
		return have, "" // an id without a name: may be the same person, and gives nothing to search for
	}
	return said, ReasonCorrected
}

func mergeAssist(have, said footy.Person) footy.Person {
	if !identity.Known(said) || said.ID == have.ID && said.Name == "" || said.ID == 0 && said.Name == have.Name {
		return have
	}
	return said
}

// identityHash is the fingerprint of an event's identifying fields. The assist is none: it comes late and says nothing of which goal it is.
func identityHash(e footy.Event) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d|%d|%s|%s|%s|%d|%d", e.Team.ID, e.Player.ID, e.Player.Name, e.Kind,
		strings.ToLower(e.Detail), e.Minute.Elapsed, e.Minute.Extra))
	return hex.EncodeToString(sum[:6])
}

// recordIdentity appends the present identifying fields to the audit trail if they differ from the last entry.
func recordIdentity(e *footy.Event, at time.Time) (changed bool) {
	h := identityHash(*e)
	if n := len(e.Changes); n > 0 && e.Changes[n-1].Hash == h {
		return false
	}
	e.Changes = append(e.Changes, footy.HashedChange{At: at, Hash: h})
	return true
}
