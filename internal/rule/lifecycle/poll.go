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

// PollDue reports whether an active fixture is polled in this cycle. A match long past its kickoff that has not begun
// (postponed, or forgotten by the vendor) is asked rarely: polled every 30 s it would burn a day's quota alone.
func PollDue(f footy.Fixture, now time.Time, w Windows) bool {
	code := f.Match.Status.Code
	if (Postponed(code) || Pre(code)) && now.Sub(f.Match.Kickoff) >= w.PostponedAfter {
		return StagingDue(f, now, w.PostponedPoll)
	}
	return true
}

// kickoffNear reports whether a match may begin any moment. The window's edges are inclusive at its start; a day after
// its kickoff a match that never began is no longer waited for.
func kickoffNear(kickoff, now time.Time, w Windows) bool {
	return !kickoff.IsZero() && !now.Before(kickoff.Add(-w.PreActivate)) && now.Before(kickoff.Add(w.PostponedReturn))
}
