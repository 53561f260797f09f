package clock

import (
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
)

// timer is the second timer of a score bug, which runs through stoppage time beside a clock that stands.
type timer struct {
	seconds int
	exact   bool // seconds were shown
	shown   bool
}

// span is how many seconds a timer may stand for.
func (t timer) span() int {
	if t.exact {
		return 0
	}
	return 59
}

// timerBeside finds the second timer, also where it was read as the board of added minutes.
func timerBeside(r footy.Reading) timer {
	for _, text := range []string{r.StoppageClock, r.Added} {
		if seconds, exact, ok := ParseStoppage(text); ok && (exact || text == r.StoppageClock) {
			return timer{seconds, exact, true}
		}
	}
	return timer{}
}

// ends are the minutes at which a clock stands through stoppage time.
var ends = []int{90, 45, 105, 120}

// shortTimer bounds what may be a second timer, or a clock that lost its leading 9, in minutes.
const shortTimer = 20

// timerAsClock are the moments of a second timer that was read as the clock, and of a clock that lost its leading 9: 02:36
// is 47:36 in the first half's stoppage time and 92:36 in the second's. Beside a board it can mean little else; without
// one it counts where a goal of the match fell in that stoppage time.
func timerAsClock(shown Time, p Period, hasAdded bool, q Question) []moment {
	if shown.Minute() >= shortTimer || shown.Stoppage {
		return nil
	}
	var out []moment
	for _, end := range ends {
		period := PeriodOf(end)
		own := q.Minute.Elapsed == end
		switch {
		case p != Unknown && p != period && !(p == Extra && end > 90): // the label says another
			continue
		case end > 90 && !q.inExtraTime():
			continue
		case !hasAdded && !q.inStoppage(end) && !own:
			continue
		}
		t := shown
		t.Seconds += end * 60
		m := momentOf(t, period, true, false)
		switch {
		case hasAdded:
		case q.inStoppage(end):
			m.repaired = true
		default:
			m.unusual = true // a goal of the last minute, whose clip would run into stoppage time
		}
		if own {
			out = slices.Insert(out, 0, m)
		} else {
			out = append(out, m)
		}
	}
	return out
}

// restarted are the moments of a clock without a label where clocks start anew with each period: 05:25 may be 50:25.
func restarted(shown Time, by timer, added int, hasAdded bool) []moment {
	var out []moment
	for _, in := range []struct {
		period        Period
		first, length int // minutes: what is added to the clock, and how far it runs
		from          int // what it shows at the least
	}{
		{Second, 45, 45 + maxStoppage, 0},
		{Extra1, 90, shortTimer, 0},
		{Extra2, 105, shortTimer, 0},
		{Extra2, 90, 15 + shortTimer, 15}, // one clock for all of extra time
	} {
		minute := shown.Minute()
		if minute < in.from || minute >= in.length {
			continue
		}
		t := shown
		t.Seconds += in.first * 60
		if end := periodEnd(in.period); hasAdded && t.Minute() < end-1 { // a board belongs to the end of a half
			continue
		}
		m := momentOf(t, in.period, true, true)
		m.restarted = true
		if base, ok := atPeriodEnd(t); ok && PeriodOf(base) == in.period && !t.Stoppage {
			switch {
			case by.shown:
				m.from, m.minute = m.from+by.seconds, m.minute+by.seconds/60
				m.to = m.from + by.span()
			case hasAdded:
				m.to = m.from + added*60 + 59
			default:
				m.to = m.from + maxStoppage*60 + 59
			}
		}
		out = append(out, m)
	}
	return out
}

// periodEnd is the minute at which a period's stoppage time begins.
func periodEnd(p Period) int {
	switch p {
	case First:
		return 45
	case Second:
		return 90
	case Extra1:
		return 105
	}
	return 120
}
