// Package cycle is what one poll does with one fixture: does its answer regress, does it call for a decision, what is decided about
// the events, does the fixture move on. Monitor, replays and benches go this way. Pure: it changes the fixture value it is given.
package cycle

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
)

// Rules are the numbers of the rules.
type Rules struct {
	Votes   debounce.Options
	Windows lifecycle.Windows // scaled
}

// Trust is what an answer says for or against its whole poll; debounce.PollTrusted sums it up.
type Trust struct {
	Regressed []string // how the answer contradicts the one before
	Missing   []string // uids of certain goals that it does not list
}

// TrustOf compares an answer with the one before (nil if there is none) and with what is known.
func TrustOf(f footy.Fixture, before *footy.Snapshot, s footy.Snapshot) Trust {
	return Trust{debounce.Regressions(debounce.Baseline(f, before), s), debounce.MissingGoals(f, s)}
}

// Due reports whether an answer calls for a decision. Fixtures that are asked rarely are always written, because when they were
// asked decides when they are asked again.
func (r Rules) Due(f footy.Fixture, s footy.Snapshot, now time.Time) (due bool) {
	if lifecycle.Noted(f, now, r.Windows) || f.Trouble != nil {
		return true
	}
	defer func() {
		if recover() != nil { // deciding it tells what is wrong with this fixture, and stops no other
			due = true
		}
	}()
	f.Events, f.Sequences = slices.Clone(f.Events), maps.Clone(f.Sequences)
	for i := range f.Events { // a decision takes something out of these lists
		e := &f.Events[i]
		e.MatchedFrom = slices.Clone(e.MatchedFrom)
	}
	d := r.Decide(&f, s, debounce.Poll{Now: now}, false)
	return d.Changed || len(d.Events) > 0 || d.Move.To != ""
}

// Decision is what a poll changed about a fixture.
type Decision struct {
	Withheld bool // the answer contradicts what is known, in a poll that may not take back: it only added
	Changed  bool // beyond when it was asked
	Events   []debounce.Decision
	News     lifecycle.Move // for people; its stage stays
	Move     lifecycle.Move // to another stage, also after an answer that is not worth a write; To is empty where it stays
}

// Decide applies an answer. regressed tells that this very answer is one for which the poll is not trusted.
func (r Rules) Decide(f *footy.Fixture, s footy.Snapshot, p debounce.Poll, regressed bool) Decision {
	d := Decision{Withheld: (p.Distrusted || p.SecondLook) && (regressed || debounce.Contradicts(*f, s))}
	before := *f
	if d.Withheld {
		lifecycle.Touch(f, p.Now)
	} else {
		lifecycle.Merge(f, s, p.Now)
		d.Changed = lifecycle.Changed(before, *f, r.Windows)
	}
	var changed bool
	d.Events, changed = debounce.Decide(f, s, p, r.Votes)
	d.Changed = d.Changed || changed
	if m := lifecycle.Plan(*f, p.Now, r.Windows); !d.Withheld && m.To != f.Stage {
		d.Move = m
	}
	if d.Move.To == "" { // else the move says it
		d.News = lifecycle.News(before, *f, r.Windows)
	}
	return d
}

// ClocksDiffer is by how much the clock of another worker may be ahead of ours; nothing waits for longer because of it.
const ClocksDiffer = 2 * time.Minute

// Right puts right what was written while a clock was ahead: of a time that has not come nothing may be waited for, and no search may ask
// for posts of it. An event that was first seen then counts as first seen now; if it was searched for, it is searched for anew, because
// those searches could find nothing. So is one whose search ended short then: its time was over only by that clock. It tells of those
// events, and whether anything changed.
func (r Rules) Right(f *footy.Fixture, now time.Time) (told []footy.Entry, changed bool) {
	ahead := func(t time.Time) bool { return t.After(now.Add(ClocksDiffer)) }
	right := func(times ...*time.Time) {
		for _, t := range times {
			if ahead(*t) {
				*t, changed = now, true
			}
		}
	}
	right(&f.LastMonitor, &f.LastPollAt, &f.TerminalSince, &f.PlayedAt, &f.PostponedAt, &f.UpdatedAt)
	if f.Trouble != nil {
		right(&f.Trouble.Since)
	}
	for i := range f.Events {
		e := &f.Events[i]
		right(&e.CertainAt, &e.UpdatedAt, &e.Round.OpenedAt, &e.Round.SearchedAt, &e.Round.Blocked.Since)
		seen, short := ahead(e.FirstSeen), ahead(e.Round.EndedAt) && e.Round.End != "" // with all its searches no clock ended it
		right(&e.Round.EndedAt, &e.CompletedAt)
		again := (seen || short) && e.Certain() && e.Standing()
		if !seen && !again {
			continue
		}
		if seen {
			right(&e.FirstSeen)
			e.HappenedAt, e.CaughtUp = debounce.HappenedAt(f.Match.Kickoff, footy.Status{}, e.Minute, now, cmp.Or(r.Votes.Minute, time.Minute)), true
		}
		if again {
			round.Begin(e, now)
			changed = true
		}
		told = append(told, footy.Entry{
			Key:       fmt.Sprintf("%s/%s/%d", e.UID, debounce.ReasonClockAhead, now.UnixMilli()),
			FixtureID: f.ID, EventUID: e.UID, At: now, Kind: footy.EntryChanged, Reason: debounce.ReasonClockAhead,
			Data: footy.Evidence{Player: e.Player.Name, Round: e.Round.Number},
		})
	}
	return told, changed
}
