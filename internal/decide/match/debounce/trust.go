package debounce

import (
	"fmt"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/identity"
	"github.com/found-footy/found-footy/internal/decide/match/score"
	"github.com/found-footy/found-footy/internal/footy"
)

// How an answer regressed: it contradicts the one before.
const (
	PhaseWentBack = "phase"
	ClockWentBack = "clock"
	ScoreFell     = "score"
	FieldCleared  = "field cleared"
)

const (
	maxRegressed = 1 // one regressed fixture concerns that fixture only
	maxMissing   = 2 // so many goals can be cancelled at once
	clockSlack   = 2 // minutes a vendor may correct its clock by

	outageLength = 2 * time.Hour // an outage is over by then
)

// Regressions lists how an answer contradicts the last believed one; empty if it does not. A new date is a new match.
func Regressions(prev, cur footy.Snapshot) []string {
	a, b := prev.Match.Status, cur.Match.Status
	if b.Postponed() || cur.Match.Kickoff.Sub(prev.Match.Kickoff).Hours() >= 1 {
		return nil
	}
	var out []string
	if was, is := a.Info().Order, b.Info().Order; is > 0 && is < was {
		out = append(out, PhaseWentBack)
	}
	if clockBack(a, b) {
		out = append(out, ClockWentBack)
	}
	if scoreFellUncancelled(prev, cur) {
		out = append(out, ScoreFell)
	}
	if cleared(prev, cur) {
		out = append(out, FieldCleared)
	}
	return out
}

// clockBack compares the clock within one phase: at a break stoppage time disappears (HT 45+4 -> 2H 46), and the
// stoppage minute itself may be missing from an answer.
func clockBack(a, b footy.Status) bool {
	if a.Code != b.Code || a.Elapsed == nil || b.Elapsed == nil {
		return false
	}
	if *b.Elapsed+clockSlack < *a.Elapsed {
		return true
	}
	return *a.Elapsed == *b.Elapsed && a.Extra != nil && b.Extra != nil && *b.Extra+clockSlack < *a.Extra
}

// scoreFellUncancelled reports a score that fell while the goals it no longer counts are still listed. A goal gone from both was
// cancelled: that is no contradiction.
func scoreFellUncancelled(prev, cur footy.Snapshot) bool {
	if !cur.HasEvents {
		return false
	}
	listed := score.CountGoals(cur.Teams, cur.Events)
	fell := func(a, b *int, listed int) bool { return a != nil && b != nil && *b < *a && listed > *b }
	return fell(prev.Score.Home, cur.Score.Home, listed.Home) || fell(prev.Score.Away, cur.Score.Away, listed.Away)
}

// cleared reports known fields that are unknown in the answer of a match under way or said not to have begun.
func cleared(prev, cur footy.Snapshot) bool {
	was, is := prev.Match.Status, cur.Match.Status
	if is.Terminal() || !was.InPlay() && !was.Terminal() {
		return false
	}
	gone := func(a, b *int) bool { return a != nil && b == nil }
	return gone(prev.Score.Home, cur.Score.Home) || gone(prev.Score.Away, cur.Score.Away) ||
		is.Code == was.Code && gone(was.Elapsed, is.Elapsed) ||
		slices.ContainsFunc(prev.Events, func(p footy.FeedEvent) bool { return lostMinuteOrScorer(p, cur.Events) })
}

// lostMinuteOrScorer reports a goal that is still listed, but without the minute or the scorer that the answer before gave.
func lostMinuteOrScorer(p footy.FeedEvent, now []footy.FeedEvent) bool {
	if !p.Kind.Scores() || !p.Minute.Known() || !identity.Known(p.Player) {
		return false
	}
	listed := func(fits func(l footy.FeedEvent) bool) bool {
		return slices.ContainsFunc(now, func(l footy.FeedEvent) bool { return l.Kind == p.Kind && l.Team.ID == p.Team.ID && fits(l) })
	}
	same := func(l footy.FeedEvent) bool { return identity.SameScorer(p.Player, l.Player) }
	if listed(func(l footy.FeedEvent) bool { return same(l) && l.Minute == p.Minute }) {
		return false
	}
	return listed(func(l footy.FeedEvent) bool {
		return same(l) && !l.Minute.Known() || !identity.Known(l.Player) && l.Minute == p.Minute
	})
}

// Baseline is what an answer is compared with: the previous answer if that was in order, else what the fixture holds from
// the last one that was. Comparing with a regressed answer would make the second bad poll look right.
func Baseline(f footy.Fixture, prev *footy.Snapshot) footy.Snapshot {
	held := footy.Snapshot{Match: f.Match, League: f.League, Teams: f.Teams, Score: f.Score, Periods: f.Periods}
	if prev == nil || len(Regressions(held, *prev)) > 0 {
		return held
	}
	out := *prev
	if out.Score.Home == nil {
		out.Score.Home = held.Score.Home
	}
	if out.Score.Away == nil {
		out.Score.Away = held.Score.Away
	}
	return out
}

// missing lists the wanted certain goals that an answer does not list.
func missing(f footy.Fixture, s footy.Snapshot, wanted func(*footy.Event) bool) (out []string) {
	if !s.HasEvents {
		return nil
	}
	of := match(&f, readList(&f, s), func(k footy.Kind, _ string) bool { return k.Scores() })
	for i := range f.Events {
		if e := &f.Events[i]; counts(e) && e.Certain() && wanted(e) && !slices.Contains(of, i) {
			out = append(out, e.UID)
		}
	}
	return out
}

// NewlyMissing lists the certain goals that are missing from an answer for the first time. Goals whose absences already count are
// left out.
func NewlyMissing(f footy.Fixture, s footy.Snapshot) []string { return missing(f, s, noAbsences) }

// MissingGoals lists the certain goals that speak against an answer: the newly missing ones, else one of those whose absences
// already count. In one match that may be a cancelled goal; in three it is an outage that goes from match to match. Absences that
// began hours ago do not speak against an answer, so that real cancellations are believed in the end.
func MissingGoals(f footy.Fixture, s footy.Snapshot) []string {
	out := missing(f, s, func(e *footy.Event) bool { return noAbsences(e) || s.Answered.Sub(e.UpdatedAt) < outageLength })
	fresh := slices.DeleteFunc(slices.Clone(out), func(uid string) bool { return !noAbsences(f.Event(uid)) })
	if len(fresh) > 0 {
		return fresh
	}
	return out[:min(len(out), 1)]
}

// PollTrusted reports whether a poll is believed as a whole; else why not. It is not when two or more fixtures regressed or three or
// more certain goals are missing at once: then it may add, not take back.
func PollTrusted(regressedFixtures, missingGoals int) (trusted bool, why string) {
	switch {
	case regressedFixtures > maxRegressed:
		return false, fmt.Sprintf("%d fixtures regressed in one poll", regressedFixtures)
	case missingGoals > maxMissing:
		return false, fmt.Sprintf("%d confirmed goals vanished in one poll", missingGoals)
	}
	return true, ""
}

// Contradicts reports whether an answer takes something back: it regressed, misses certain goals or counts fewer. In a poll that is
// not trusted such an answer must not touch the fixture; if it is true, it comes again in a poll that is trusted.
func Contradicts(f footy.Fixture, s footy.Snapshot) bool {
	fewer := func(known, said *int) bool { return known != nil && said != nil && *said < *known }
	return fewer(f.Score.Home, s.Score.Home) || fewer(f.Score.Away, s.Score.Away) ||
		len(NewlyMissing(f, s)) > 0 || len(Regressions(Baseline(f, nil), s)) > 0
}
