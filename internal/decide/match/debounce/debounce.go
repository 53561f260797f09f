// Package debounce turns polls of the feed into certain events: votes, absences, corrections and removals. Only here
// is decided whether a goal is believed. Pure: it changes the fixture value it is given and nothing else, and a poll
// that comes twice changes nothing the second time.
package debounce

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Options are the rules' numbers.
type Options struct {
	Kinds         []footy.Kind  // what is followed
	Sightings     int           // distinct polls that must have seen an event
	ScorerPolls   int           // the last so many sightings must name the same scorer
	Absences      int           // distinct believed polls that must have missed it
	ResetOnChange bool          // a change of identifying fields (identityHash) restarts the count
	Minute        time.Duration // how long a minute of play lasts; shorter where the product's time is scaled
}

// Defaults are the product's own numbers: goals only, three sightings, three absences.
func Defaults() Options {
	return Options{Kinds: []footy.Kind{footy.KindGoal}, Sightings: 3, ScorerPolls: 2, Absences: 3}
}

func (o Options) normal() Options {
	d := Defaults()
	if len(o.Kinds) == 0 {
		o.Kinds = d.Kinds
	}
	for _, n := range []struct{ have, def *int }{{&o.Sightings, &d.Sightings}, {&o.ScorerPolls, &d.ScorerPolls}, {&o.Absences, &d.Absences}} {
		if *n.have <= 0 {
			*n.have = *n.def
		}
	}
	o.ScorerPolls = min(o.ScorerPolls, o.Sightings)
	o.Minute = cmp.Or(max(o.Minute, 0), time.Minute)
	return o
}

// follows reports whether events of a kind are followed. A scored penalty is a goal; who wants penalties and not all goals
// follows those alone.
func (o Options) follows(k footy.Kind, detail string) bool {
	if k == footy.KindGoal && strings.EqualFold(detail, "penalty") && slices.Contains(o.Kinds, footy.KindPenalty) {
		return true
	}
	return k != footy.KindOther && k != footy.KindPenalty && slices.Contains(o.Kinds, k)
}

func (o Options) goals() bool { return slices.Contains(o.Kinds, footy.KindGoal) }

// Poll is one answered poll.
type Poll struct {
	ID         string // the Monitor run's workflow id, of a second look its run id: one vote per look, however often it is tried
	Now        time.Time
	Distrusted bool // the vendor contradicts itself: this poll may add, never remove or correct
	// SecondLook is a look at a few matches in the middle of a cycle. It sees goals and misses none: that all goals of an outage are
	// missing shows only where all matches are asked, and three absences must not pass in half the time.
	SecondLook bool
}

// Decision is one thing that was decided about an event, as a log row.
type Decision struct {
	footy.Entry
	Repeat bool // the same decision as in the poll before; changes nothing
}

// What changed about an event.
const (
	ReasonIdentified footy.Reason = "scorer_identified"
	ReasonNumbered   footy.Reason = "scorer_numbered"
	ReasonCorrected  footy.Reason = "scorer_corrected"
	ReasonSpelling   footy.Reason = "scorer_spelling"
	ReasonMinute     footy.Reason = "minute"
	ReasonDetail     footy.Reason = "detail"
	ReasonAssist     footy.Reason = "assist"
	ReasonNewRound   footy.Reason = "new_round"
	ReasonClockAhead footy.Reason = "clock_ahead"
	ReasonNotBegun   footy.Reason = "match_not_begun"
	ReasonEmptyList  footy.Reason = "empty_list"
	ReasonNotCounted footy.Reason = "score_does_not_count_it"
)
