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

// change is what a listed event would change about a stored one.
type change struct {
	after  footy.Event // the event with everything taken over
	scorer footy.Reason
	minute bool
	detail bool
	assist bool
}

func (c change) any() bool { return c.scorer != "" || c.minute || c.detail || c.assist }

// compare finds what the feed says differently now. What it does not know (any more) changes nothing. A distrusted
// answer may name an unknown scorer, not correct a known one.
func compare(e footy.Event, l footy.FeedEvent, distrusted bool) change {
	c := change{after: e}
	c.after.Player, c.scorer = mergeScorer(e.Player, l.Player)
	if distrusted {
		if c.scorer == ReasonCorrected || c.scorer == ReasonSpelling {
			c.after.Player, c.scorer = e.Player, ""
		}
		return c
	}
	if l.Minute.Known() && l.Minute != e.Minute {
		c.after.Minute, c.minute = l.Minute, true
	}
	if l.Detail != "" && !strings.EqualFold(l.Detail, e.Detail) {
		c.after.Detail, c.detail = l.Detail, true
	}
	if l.Comments != "" && !strings.EqualFold(l.Comments, e.Comments) {
		c.after.Comments, c.detail = l.Comments, true
	}
	if a := mergeAssist(e.Assist, l.Assist); a != e.Assist {
		c.after.Assist, c.assist = a, true
	}
	return c
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
	case identity.SameScorer(have, said):
		if said.ID == 0 { // the feed no longer gives the id it gave before
			return have, ""
		}
		return said, ReasonNumbered
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
