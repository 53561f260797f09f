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

// PollDue reports whether an active fixture is polled in this cycle.
func PollDue(f footy.Fixture, now time.Time, w Windows) bool {
	return !Rare(f, now, w) || StagingDue(f, now, w.PostponedPoll)
}

// Rare reports whether a fixture is asked once a slot and not each cycle: one that waits, a match long past its kickoff that
// has not begun (postponed, or forgotten), and one that should be over and is not answered for any more (deleted by the
// vendor). Polled every 30 s, each of them would use up a day's quota.
func Rare(f footy.Fixture, now time.Time, w Windows) bool {
	late := now.Sub(f.Match.Kickoff)
	switch {
	case f.Stage == footy.StageStaging:
		return true
	case f.Trouble != nil && now.Sub(f.Trouble.Since) >= w.PostponedAfter && late >= w.Played+w.PostponedAfter:
		return true
	}
	return (f.Match.Status.Postponed() || f.Match.Status.Pre()) && late >= w.PostponedAfter
}

// kickoffNear reports whether a match may begin any moment. The window's edges are inclusive at its start; a day after
// its kickoff a match that never began is no longer waited for.
func kickoffNear(kickoff, now time.Time, w Windows) bool {
	return !kickoff.IsZero() && !now.Before(kickoff.Add(-w.PreActivate)) && now.Before(kickoff.Add(w.PostponedReturn))
}
