package inspect

import (
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Recordings do not say when they were made, but the matches in them do: the clock of a running match and its kickoff
// tell the time within minutes. Between polls at least an interval passes.

const (
	halfTime  = 15 * time.Minute
	wholeGame = 115 * time.Minute
	beforeAll = 10 * time.Minute // a match that has not begun is looked at shortly before
)

// tell estimates when a poll was answered.
func tell(last time.Time, every time.Duration, snapshots []footy.Snapshot) time.Time {
	var running, over, waiting []time.Time
	for _, s := range snapshots {
		k := s.Match.Kickoff
		if k.IsZero() {
			continue
		}
		switch status := s.Match.Status; {
		case status.InPlay() && status.Elapsed != nil:
			at := k.Add(time.Duration(status.Minute().Elapsed+status.Minute().Extra) * time.Minute)
			if *status.Elapsed > 45 || status.Code == "HT" {
				at = at.Add(halfTime)
			}
			running = append(running, at)
		case status.Terminal():
			over = append(over, k.Add(wholeGame))
		case status.Pre():
			waiting = append(waiting, k.Add(-beforeAll))
		}
	}
	next := last.Add(every)
	for _, estimate := range []time.Time{median(running), latest(over)} {
		if !estimate.IsZero() {
			if last.IsZero() || estimate.After(next) {
				return estimate
			}
			return next
		}
	}
	if last.IsZero() && len(waiting) > 0 {
		return slices.MinFunc(waiting, time.Time.Compare) // none has begun: not even the first
	}
	return next
}

func median(ts []time.Time) time.Time {
	if len(ts) == 0 {
		return time.Time{}
	}
	slices.SortFunc(ts, time.Time.Compare)
	return ts[len(ts)/2]
}

func latest(ts []time.Time) time.Time {
	if len(ts) == 0 {
		return time.Time{}
	}
	return slices.MaxFunc(ts, time.Time.Compare)
}
