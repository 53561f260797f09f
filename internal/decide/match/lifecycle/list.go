package lifecycle

import (
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/score"
	"github.com/found-footy/found-footy/internal/footy"
)

// ListDue reports whether today's list of matches (by UTC date) should be asked for out of turn: it is not there, and for an hour
// nobody asked. listed is the date of the newest list that was read on its own day, tried the last try that failed. The schedule has
// the first hour of the day for itself.
func ListDue(listed string, tried, now time.Time, w Windows) bool {
	now = now.UTC()
	if listed == now.Format(time.DateOnly) {
		return false
	}
	return !now.Before(NextList(tried, now, w))
}

// NextList is when today's list is asked for again while it is missing. A try of a time that is further off than the next one was written
// while a clock was ahead.
func NextList(tried, now time.Time, w Windows) time.Time {
	from := now.UTC().Truncate(24 * time.Hour)
	if tried.After(from) && tried.Before(now.Add(w.ListAgain)) {
		from = tried
	}
	return from.Add(w.ListAgain)
}

// AdmitNamed tells where a fixture belongs that a person named and that is new to us: one that is over is asked about, too, and its
// goals are looked for.
func AdmitNamed(s footy.Snapshot, now time.Time, w Windows) footy.Stage {
	if stage := Admit(s, now, w); stage != footy.StageCompleted {
		return stage
	}
	return footy.StageActive
}

// Reopens decides about a completed fixture that a person named: it is followed again if nobody ever asked about its goals, or if
// the score counts one that is not there. To is empty where nothing is left to find.
func Reopens(f footy.Fixture, w Windows) Move {
	if f.Stage != footy.StageCompleted || !f.LastMonitor.IsZero() && (!w.Unlisted || score.WithoutEvent(f) == 0) {
		return Move{}
	}
	return Move{footy.StageActive, footy.EntryActivated, ReasonNamed, footy.Evidence{}}
}
