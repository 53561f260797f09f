package lifecycle

import (
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/footy"
)

// SecondLook is how long after a cycle began it looks again at the matches for which LookAgain is true; 0 = not at all. The feeds have
// news every 15 s: looks that are closer would count one answer twice. It costs up to a tenth more calls, and is left out where the plan
// lacks those: where the pace is stretched, or would be then, and where each match costs a call of its own.
func (r Reckoning) SecondLook(q Quota, d Demand, p Pace) time.Duration {
	at := r.Windows.SecondLook
	d.Live += d.Live / 10
	d.AtOnce++
	if 2*at > r.Cycle || d.Single || p.Stretched() || govern(q, d).Stretched() {
		return 0
	}
	return at
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
