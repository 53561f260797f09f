package lifecycle

import (
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/footy"
)

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
