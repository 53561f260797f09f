package lifecycle

import (
	"fmt"
	"math"
	"time"
)

// Quota is what the vendor said of the calls left; -1 where unknown.
type Quota struct{ DayLimit, DayRemaining, MinuteLimit, MinuteRemaining int }

// Demand is what polling would cost at full pace until the vendor's day ends at midnight UTC.
type Demand struct {
	LiveCalls    int           // calls of one cycle for the active fixtures
	LiveFor      time.Duration // how long today matches will still be active
	StagingCalls int           // calls of one slot for the staging fixtures
	Cycle        time.Duration // between polls of active fixtures
	Slot         time.Duration // between polls of staging fixtures
}

// Pace is how much slower than wanted to poll: 1 = full pace.
type Pace struct {
	Staging int    `json:"staging"`
	Live    int    `json:"live"`
	Text    string `json:"text,omitempty"` // one sentence for the health page; "" at full pace
}

const (
	maxStagingStretch = 8  // a staging fixture is still asked every two hours
	maxLiveStretch    = 20 // a live one every ten minutes: votes then take half an hour, but no goal is missed
	reserveShare      = 0.05
)

// Govern stretches first the staging polls, then the live ones, so that the day's calls last until midnight. A vendor that
// told nothing is not second-guessed.
func Govern(q Quota, d Demand, now time.Time) Pace {
	full := Pace{Staging: 1, Live: 1}
	if q.DayRemaining < 0 || d.Cycle <= 0 || d.Slot <= 0 {
		return full
	}
	left := midnight(now).Sub(now)
	budget := float64(q.DayRemaining) - reserveShare*math.Max(float64(q.DayLimit), float64(q.DayRemaining))
	live := float64(d.LiveCalls) * float64(min(d.LiveFor, left)) / float64(d.Cycle)
	staging := float64(d.StagingCalls) * float64(left) / float64(d.Slot)
	if live+staging <= budget {
		return perMinute(full, q, d)
	}
	p := full
	p.Staging = stretch(staging, budget-live, maxStagingStretch)
	if live+staging/float64(p.Staging) > budget {
		p.Live = stretch(live, budget-staging/float64(p.Staging), maxLiveStretch)
	}
	p.Text = fmt.Sprintf("%d calls are left today and %.0f are wanted: staging matches are asked %s, live ones %s.",
		q.DayRemaining, live+staging, every(d.Slot, p.Staging), every(d.Cycle, p.Live))
	return p
}

// perMinute slows live polling down where one cycle alone needs more calls than a minute allows.
func perMinute(p Pace, q Quota, d Demand) Pace {
	cycles := float64(time.Minute) / float64(d.Cycle)
	if need := float64(d.LiveCalls) * cycles; q.MinuteLimit > 0 && need > float64(q.MinuteLimit) {
		p.Live = stretch(need, float64(q.MinuteLimit), maxLiveStretch)
		p.Text = fmt.Sprintf("The plan allows %d calls a minute: live matches are asked %s.", q.MinuteLimit, every(d.Cycle, p.Live))
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

// DayCalls estimates the calls a day of matches costs at full pace: those under way in chunks each cycle, those waiting once a
// slot.
func DayCalls(kickoffs []time.Time, w Windows, cycle time.Duration, chunk int) int {
	if len(kickoffs) == 0 || cycle <= 0 || chunk <= 0 || w.StagingSlot <= 0 {
		return 0
	}
	day := kickoffs[0].UTC().Truncate(24 * time.Hour)
	calls := 0
	for at := day; at.Before(day.Add(24 * time.Hour)); at = at.Add(w.StagingSlot) {
		live, waiting := 0, 0
		for _, k := range kickoffs {
			switch {
			case at.Before(k.Add(-w.PreActivate)):
				waiting++
			case at.Before(k.Add(played)):
				live++
			}
		}
		calls += (waiting+chunk-1)/chunk + (live+chunk-1)/chunk*int(w.StagingSlot/cycle)
	}
	return calls
}

// played is how long after kickoff a match and the searches of its last goal keep it active.
const played = 135 * time.Minute

func stretch(want, have float64, most int) int {
	if have <= 0 {
		return most
	}
	return min(most, max(1, int(math.Ceil(want/have))))
}

func every(d time.Duration, n int) string {
	if n <= 1 {
		return "as usual"
	}
	return "every " + (d * time.Duration(n)).String()
}

func midnight(now time.Time) time.Time {
	now = now.UTC()
	return time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, time.UTC)
}
