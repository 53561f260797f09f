package demo

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/world"
)

// tooLate is how many times longer than due a look at a match may take before the machine is to blame.
const tooLate = 1.5

// tooSlow says that this machine did not keep pace with the day, and at which it might; "" if it did.
func tooSlow(scale int, due, came time.Duration) string {
	if late := float64(came) / float64(due); late >= tooLate {
		said := fmt.Sprintf("this machine was too slow for the day: a look at a match every %.1f s instead of every %.1f s", came.Seconds(), due.Seconds())
		if slower := int(float64(scale) / late); slower >= 2 {
			said += fmt.Sprintf("; TIME_SCALE=%d plays it slowly enough", slower)
		}
		return said
	}
	return ""
}

// lateness measures how often matches were looked at in the part of the day that this process played.
func (d *Demo) lateness(ctx context.Context, a *app.App, w *world.World, before map[int]int) string {
	fixtures, err := a.Store.List(ctx, store.FixtureQuery{})
	if err != nil || w.Script().OnFreePlan() { // whose calls decide how often
		return ""
	}
	polls := w.Status().Polls
	var looks []time.Duration
	for _, f := range fixtures {
		from := f.ActivatedAt
		if from.Before(d.began) {
			from = d.began
		}
		if n := polls[int(f.ID)] - before[int(f.ID)]; n > 0 && f.CompletedAt.After(from) {
			looks = append(looks, f.CompletedAt.Sub(from)/time.Duration(n))
		}
	}
	if len(looks) == 0 {
		return ""
	}
	slices.Sort(looks)
	return tooSlow(scaleOf(d.Config), a.Config.Track.PollEvery(), looks[len(looks)/2])
}
