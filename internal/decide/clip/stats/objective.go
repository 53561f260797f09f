package stats

import (
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Objective is what coverage should be: a share of the goals with a verified clip in time.
type Objective struct {
	Share  float64       // 0..1
	Within time.Duration // from the goal, as far as it can be told, to its first verified clip
}

// Kept counts the goals whose time is over by how the objective fared.
type Kept struct{ Met, Missed int }

// Goals is how many there are.
func (k Kept) Goals() int { return k.Met + k.Missed }

// Percent is the share that met it, rounded down: 89.9 % is less than 90 %. Of no goals it is 0.
func (k Kept) Percent() int {
	if k.Goals() == 0 {
		return 0
	}
	return 100 * k.Met / k.Goals()
}

// Over counts the goals of fixtures whose time ended after since and not after now. A goal that was caught up, because nobody looked
// when it fell, counts from when it fell: time in which the product was off is no excuse.
func (o Objective) Over(fixtures []footy.Fixture, since, now time.Time) (k Kept) {
	for i := range fixtures {
		for j := range fixtures[i].Events {
			e := &fixtures[i].Events[j]
			due := e.ScoredAt().Add(o.Within)
			if !e.Standing() || e.Kind != footy.KindGoal || e.FirstSeen.IsZero() || !due.After(since) || due.After(now) {
				continue
			}
			if provenBefore(e, due) {
				k.Met++
			} else {
				k.Missed++
			}
		}
	}
	return k
}

// provenBefore reports whether people could see a verified clip by then; a better copy may have replaced it since.
func provenBefore(e *footy.Event, due time.Time) bool {
	for _, c := range e.Clips {
		if c.Verified && !c.Hidden && !c.AddedAt.After(due) {
			return true
		}
	}
	return false
}
