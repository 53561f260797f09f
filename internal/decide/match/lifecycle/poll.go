package lifecycle

import (
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// StagingDue reports whether a staging fixture was not yet polled in the present slot. Slots are fixed on the clock
// (:00, :15, :30, :45), so that all fixtures of a slot share their calls.
func StagingDue(f footy.Fixture, now time.Time, slot time.Duration) bool {
	if f.LastMonitor.IsZero() || slot <= 0 {
		return true
	}
	return f.LastMonitor.Before(now.Truncate(slot))
}

// Rare reports whether a fixture is asked once a slot and not each cycle: one that waits, a match long past its kickoff that
// is postponed, or was asked since and has not begun, and one that should be over and is not answered for any more (deleted by the
// vendor). Polled every 30 s, each of them would use up a day's quota.
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
	return f.Match.Status.Postponed() && late >= w.PostponedAfter
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
