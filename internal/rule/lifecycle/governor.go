package lifecycle

import (
	"math"
	"time"
)

// Quota is what the vendor said of the calls left; -1 where unknown.
type Quota struct{ DayLimit, DayRemaining, MinuteLimit, MinuteRemaining int }

// Demand is what polling at full pace would still cost until the vendor's day ends at midnight UTC.
type Demand struct {
	Live    int           // calls for active fixtures
	Staging int           // calls for those that wait
	AtOnce  int           // calls of one cycle as things stand
	Cycle   time.Duration // between polls of active fixtures
	Slot    time.Duration // between polls of staging fixtures
}

// Pace is how much slower than wanted to poll: 1 = full pace.
type Pace struct {
	Staging int `json:"staging"`
	Live    int `json:"live"`
	// Of a stretched pace: how often is asked now, and the limit of calls a minute if that is why; else it is the day's.
	StagingEvery time.Duration `json:"staging_every_ns,omitempty"`
	LiveEvery    time.Duration `json:"live_every_ns,omitempty"`
	MinuteLimit  int           `json:"minute_limit,omitempty"`
}

// Stretched reports whether it is slower than wanted.
func (p Pace) Stretched() bool { return p.Staging > 1 || p.Live > 1 }

const (
	maxStagingStretch = 8  // a staging fixture is still asked every two hours
	maxLiveStretch    = 20 // a live one every ten minutes: votes then take half an hour, but no goal is missed
	reserveShare      = 0.05
)

// Govern stretches first the staging polls, then the live ones, so that the day's calls last until midnight. Without
// the vendor's numbers the pace is full.
func Govern(q Quota, d Demand) Pace {
	full := Pace{Staging: 1, Live: 1}
	if q.DayRemaining < 0 || d.Cycle <= 0 || d.Slot <= 0 {
		return full
	}
	budget := float64(q.DayRemaining) - reserveShare*math.Max(float64(q.DayLimit), float64(q.DayRemaining))
	live, staging := float64(d.Live), float64(d.Staging)
	if live+staging <= budget {
		return perMinute(full, q, d)
	}
	p := full
	p.Staging = stretch(staging, budget-live, maxStagingStretch)
	if live+staging/float64(p.Staging) > budget {
		p.Live = stretch(live, budget-staging/float64(p.Staging), maxLiveStretch)
	}
	return perMinute(p, q, d)
}

// perMinute slows live polling down where one cycle alone needs more calls than a minute allows.
func perMinute(p Pace, q Quota, d Demand) Pace {
	cycles := float64(time.Minute) / float64(d.Cycle)
	if need := float64(d.AtOnce) * cycles; q.MinuteLimit > 0 && need > float64(q.MinuteLimit*p.Live) {
		p.Live = stretch(need, float64(q.MinuteLimit), maxLiveStretch)
		p.MinuteLimit = q.MinuteLimit
	}
	if p.Stretched() {
		p.StagingEvery, p.LiveEvery = d.Slot*time.Duration(p.Staging), d.Cycle*time.Duration(p.Live)
	}
	return p
}

// Turn reports whether a cycle may poll live matches at a stretched pace. It depends on the clock alone, so that a
// repeated or restarted cycle decides the same.
func Turn(now time.Time, cycle time.Duration, stretch int) bool {
	if stretch <= 1 || cycle <= 0 {
		return true
	}
	return now.UnixNano()/int64(cycle)%int64(stretch) == 0
}

// Ahead estimates the calls that polling costs between two moments at full pace: matches under way in chunks each cycle, those
// that wait once a slot.
func Ahead(kickoffs []time.Time, from, to time.Time, w Windows, cycle time.Duration, chunk int) (live, staging int) {
	if cycle <= 0 || chunk <= 0 || w.StagingSlot <= 0 {
		return 0, 0
	}
	for at := from; at.Before(to); at = at.Add(w.StagingSlot) {
		slot := min(w.StagingSlot, to.Sub(at))
		middle := at.Add(slot / 2)
		active, waiting := 0, 0
		for _, k := range kickoffs {
			switch {
			case middle.Before(k.Add(-w.PreActivate)):
				waiting++
			case middle.Before(k.Add(w.Played)):
				active++
			}
		}
		live += (active + chunk - 1) / chunk * int((slot+cycle-1)/cycle)
		staging += (waiting + chunk - 1) / chunk
	}
	return live, staging
}

func stretch(want, have float64, most int) int {
	if have <= 0 {
		return most
	}
	return min(most, max(1, int(math.Ceil(want/have))))
}

// Midnight is when the vendor counts the day's calls anew.
func Midnight(now time.Time) time.Time {
	now = now.UTC()
	return time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, time.UTC)
}
