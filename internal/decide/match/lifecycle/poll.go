package lifecycle

import (
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/footy"
)

// Due reports whether an open fixture is asked for in this cycle. Where the plan answers about one match by its id (single), a match
// is not asked for before its kickoff: the day's list names that.
func Due(f footy.Fixture, now time.Time, w Windows, single bool) bool {
	switch {
	case f.Stage == footy.StageStaging:
		return !single && StagingDue(f, now, stagingSlot(f, now, w))
	case f.Stage != footy.StageActive:
		return false
	case Rare(f, now, w):
		slot := w.PostponedPoll
		if now.Sub(playedLast(f)) >= w.PostponedReturn { // a free key of 100 calls would be used up by it
			slot *= 4
		}
		return StagingDue(f, now, slot)
	}
	return !single || !f.Match.Status.Pre() || !now.Before(f.Match.Kickoff)
}

// StagingDue reports whether a staging fixture was not yet polled in the present slot. Slots are fixed on the clock
// (:00, :15, :30, :45), so that all fixtures of a slot share their calls.
func StagingDue(f footy.Fixture, now time.Time, slot time.Duration) bool {
	if f.LastMonitor.IsZero() || slot <= 0 {
		return true
	}
	return f.LastMonitor.Before(now.Truncate(slot))
}

// playedLast is when a match that began, or should have, was seen to be played last.
func playedLast(f footy.Fixture) time.Time { return later(f.Match.Kickoff, f.PlayedAt) }

// rests reports whether nothing is played of a match: by its status, or because a vendor that forgot it says for a day that it is played.
func rests(f footy.Fixture, now time.Time, w Windows) bool {
	status, played := f.Match.Status, playedLast(f)
	forgotten := (status.InPlay() || status.Code == "") && now.Sub(later(played, f.ActivatedAt)) >= w.PostponedReturn
	return !played.IsZero() && (status.Rests() || forgotten)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Rare reports whether a fixture is asked once a slot and not each cycle: one that waits, a match that rests for long, one long past its kickoff
// that was asked since and has not begun, and one that should be over and is not answered for any more (deleted by the vendor). Polled every
// 30 s, each of them would use up a day's quota.
func Rare(f footy.Fixture, now time.Time, w Windows) bool {
	late := now.Sub(f.Match.Kickoff)
	switch {
	case f.Stage == footy.StageStaging:
		return true
	case notBegun(f, now, w):
		return !f.LastMonitor.Before(f.Match.Kickoff.Add(w.PostponedAfter)) // it was asked since: this is what it is
	case f.Trouble != nil && now.Sub(f.Trouble.Since) >= w.PostponedAfter && late >= w.Played+w.PostponedAfter:
		return true
	}
	return rests(f, now, w) && now.Sub(playedLast(f)) >= w.PostponedAfter
}

// notBegun reports whether a match should be under way for long and is not, as far as is known.
func notBegun(f footy.Fixture, now time.Time, w Windows) bool {
	return f.Stage != footy.StageStaging && f.Match.Status.Pre() && now.Sub(f.Match.Kickoff) >= w.PostponedAfter
}

// Noted reports whether it is written down when a fixture was asked, because that decides when it is asked again.
func Noted(f footy.Fixture, now time.Time, w Windows) bool {
	return Rare(f, now, w) || notBegun(f, now, w)
}

// stagingSlot is how often a fixture that waits is asked: only near its kickoff does an hour matter. Before that the lists of the
// days tell a new date, and those whose league is on no list are asked once a day.
func stagingSlot(f footy.Fixture, now time.Time, w Windows) time.Duration {
	if until := f.Match.Kickoff.Sub(now); !f.Match.Kickoff.IsZero() && until <= w.StagingNear && until > -w.PostponedReturn {
		return w.StagingSlot
	}
	return w.StagingFar
}

// kickoffNear reports whether a match may begin any moment. The window's edges are inclusive at its start; a day after
// its kickoff a match that never began is no longer waited for.
func kickoffNear(kickoff, now time.Time, w Windows) bool {
	return !kickoff.IsZero() && !now.Before(kickoff.Add(-w.PreActivate)) && now.Before(kickoff.Add(w.PostponedReturn))
}

// SecondLook is how long after a cycle began it looks again at the matches for which LookAgain is true; 0 = not at all. The feeds have
// news every 15 s: looks that are closer would count one answer twice. It is left out where the plan lacks the calls: every is the time
// between two polls if each cost one call more.
func SecondLook(w Windows, cycle, every time.Duration) time.Duration {
	if 2*w.SecondLook > cycle || every > cycle {
		return 0
	}
	return w.SecondLook
}

// LookAgain reports whether the next answer may make a goal certain: the last one listed it. A goal whose scorer nobody
// names does not cost a call each cycle. A goal that is missed waits for the next cycle, since a second look takes nothing back
// (debounce.Poll).
func LookAgain(f footy.Fixture) bool {
	most := 2 * debounce.Defaults().Sightings
	return slices.ContainsFunc(f.Events, func(e footy.Event) bool {
		return e.Standing() && !e.Certain() && len(e.AbsentPolls) == 0 && e.Withheld == "" && len(e.Votes) < most
	})
}

// Every is the time between two polls of live matches: as wanted, or so long that the calls left last until the vendor's day ends.
// left is negative where the vendor does not count; cost is the number of calls of a poll.
func Every(wanted, untilEnd time.Duration, left, cost int) time.Duration {
	if left < 0 || cost <= 0 {
		return wanted
	}
	return max(wanted, untilEnd/time.Duration(max(1, left/cost)))
}

// Midnight is when the vendor counts the day's calls anew.
func Midnight(now time.Time) time.Time {
	now = now.UTC()
	return time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, time.UTC)
}
