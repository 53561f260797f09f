package lifecycle

import (
	"time"

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
		return StagingDue(f, now, w.PostponedPoll)
	}
	return !single || !f.Match.Status.Pre() || !now.Before(f.Match.Kickoff)
}
