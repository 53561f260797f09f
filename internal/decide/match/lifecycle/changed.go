package lifecycle

import (
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// clockStep is how far a running clock may drift from the stored one before it is worth a write: the page shows the
// live snapshot, the stored clock is only compared with, to see whether the vendor regressed.
const clockStep = 10

// Changed reports whether Merge changed anything that matters. An answer that repeats what is known, its clock a little further on, is
// not written.
func Changed(f, after footy.Fixture) bool {
	a, b := f.Match, after.Match
	return a.Status.Code != b.Status.Code || !a.Kickoff.Equal(b.Kickoff) || a.Venue != b.Venue || a.Referee != b.Referee ||
		drift(a.Status, b.Status) ||
		f.League != after.League || f.Teams != after.Teams ||
		!f.Score.Equal(after.Score) ||
		!f.Periods.Halftime.Equal(after.Periods.Halftime) || !f.Periods.Fulltime.Equal(after.Periods.Fulltime) ||
		!f.Periods.Extratime.Equal(after.Periods.Extratime) || !f.Periods.Penalty.Equal(after.Periods.Penalty) ||
		f.TerminalSince.IsZero() != after.TerminalSince.IsZero() || f.PostponedAt.IsZero() != after.PostponedAt.IsZero()
}

func drift(a, b footy.Status) bool {
	if (a.Elapsed == nil) != (b.Elapsed == nil) {
		return true
	}
	was, is := a.Minute(), b.Minute()
	d := is.Elapsed + is.Extra - was.Elapsed - was.Extra
	return d >= clockStep || d < 0
}

// NewDate is the decision about a waiting fixture whose kickoff moved so far that it is a new date and not a delay: its stage
// stays, and a row tells people. Other moves come from Plan.
func NewDate(f footy.Fixture, before time.Time, w Windows) Move {
	if f.Stage != footy.StageStaging || before.IsZero() || f.Match.Kickoff.Sub(before).Abs() < w.Reschedule {
		return Move{}
	}
	return back(ReasonNewDate, f)
}
