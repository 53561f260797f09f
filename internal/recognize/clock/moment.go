package clock

import (
	"cmp"

	"github.com/found-footy/found-footy/internal/footy"
)

// moment is one thing a frame's texts can mean.
type moment struct {
	from, to     int // seconds of match time; a frozen clock spans its stoppage time
	minute       int // what the clock shows, for people
	period       Period
	periodKnown  bool // the period is certain
	unusual      bool // possible, but not what such a clock usually means
	repaired     bool // after repairing a reading error
	restarted    bool // only if the clock, which has no label, starts anew with each period
	lostDigit    bool // only if the first digits were not read
	stoppedClock bool // a clock standing at the end of a period, without a board that says for how long
}

// maxStoppage is the longest stoppage time a frozen clock without a board may stand for, in minutes.
const maxStoppage = 15

// moments returns everything a reading can mean, the usual meaning first. Where its own period label contradicts the
// clock, that period comes back too, and no meaning is more than possible.
func moments(r footy.Reading, clipLabel Period, q Question) (ms []moment, wrongLabel Period) {
	if p := ParsePeriod(r.Period); p != Unknown {
		_, agrees := Parse(string(p) + " " + r.Clock)
		if own, _ := label(clean(r.Clock)); own == Unknown && !agrees {
			r.Period, wrongLabel = "", p
			clipLabel = Unknown
		}
	}
	ms = meanings(r, clipLabel, q)
	if wrongLabel != Unknown {
		for i := range ms {
			ms[i].unusual, ms[i].stoppedClock = true, false
		}
	}
	return ms, wrongLabel
}

// atBreak reports whether a frame is of a break, where replays of any goal are shown.
func atBreak(r footy.Reading) bool {
	return breaks.MatchString(clean(r.Clock)) || breaks.MatchString(clean(r.Period))
}

func meanings(r footy.Reading, clipLabel Period, q Question) []moment {
	text := r.Clock
	own, bare := label(clean(text))
	p := cmp.Or(own, ParsePeriod(r.Period), clipLabel)
	t, ok := parseWith(text, p)
	if !ok {
		return nil
	}
	shown, ok := Parse(bare)
	if !ok {
		shown = t
	}
	timer := timerBeside(r)
	added, hasAdded := ParseAdded(r.Added)
	var out []moment
	if m, ok := atPeriodEndPlus(t, timer); ok {
		out = []moment{m}
	} else if t.Stoppage {
		out = []moment{momentOf(t, t.Period, true, false)}
	}
	if len(out) > 0 {
		if p == Unknown {
			out = append(out, restarted(shown, timer, added, hasAdded)...)
		}
		return out
	}
	if base, ok := atPeriodEnd(t); ok && hasAdded {
		out = append(out, moment{from: base * 60, to: (base+added)*60 + 59, minute: base, period: PeriodOf(base), periodKnown: true})
	} else if !(hasAdded && t.Minute() < 20 && p == Unknown) { // a board belongs to the end of a half
		out = usualMoments(t, hasAdded)
	}
	if p == Unknown && !hasAdded && q.HasMinute() {
		out = append(out, withLostDigits(t, oneDigit.MatchString(bare), q.inExtraTime())...)
	}
	out = append(out, alternatives(t, p, shown.Seconds < t.Seconds, hasAdded)...)
	out = append(out, timerAsClock(shown, p, hasAdded, q)...)
	if p == Unknown {
		out = append(out, restarted(shown, timer, added, hasAdded)...)
	}
	return out
}

func parseWith(text string, p Period) (Time, bool) {
	if own, _ := label(clean(text)); own == Unknown && p != Unknown {
		if t, ok := Parse(string(p) + " " + text); ok {
			return t, true
		}
	}
	return Parse(text)
}

func momentOf(t Time, p Period, pinned, unusual bool) moment {
	m := moment{from: t.Seconds, to: t.Seconds, minute: t.Minute(), period: p, periodKnown: pinned, unusual: unusual}
	if !t.Exact {
		m.to += 59
	}
	return m
}

func atPeriodEnd(t Time) (base int, ok bool) {
	m := t.Minute()
	return m, t.Seconds%60 == 0 && (m == 45 || m == 90 || m == 105 || m == 120)
}

// atPeriodEndPlus adds a running second timer to a clock that stands at the end of a period.
func atPeriodEndPlus(t Time, by timer) (moment, bool) {
	base, ok := atPeriodEnd(t)
	if !ok || !by.shown {
		return moment{}, false
	}
	m := moment{from: base*60 + by.seconds, minute: base + by.seconds/60, period: PeriodOf(base), periodKnown: true}
	m.to = m.from + by.span()
	return m, true
}

// usualMoments keeps both meanings of 45-60 and 90-105: stoppage time of one period or the clock of the next. A board
// with added minutes decides for stoppage time.
func usualMoments(t Time, hasAdded bool) []moment {
	m := t.Minute()
	if t.Pinned {
		return []moment{momentOf(t, t.Period, true, false)}
	}
	switch {
	case m >= 45 && m < 45+maxStoppage:
		if hasAdded {
			return []moment{momentOf(t, First, true, false)}
		}
		return []moment{momentOf(t, Second, false, false), momentOf(t, First, false, true)}
	case m >= 90 && m < 90+maxStoppage:
		if hasAdded {
			return []moment{momentOf(t, Second, true, false)}
		}
		return []moment{momentOf(t, Second, false, false), momentOf(t, Extra1, false, true)}
	case m == 105:
		return []moment{momentOf(t, Extra1, false, false), momentOf(t, Extra2, false, false)}
	}
	return []moment{momentOf(t, t.Period, false, false)}
}

// withLostDigits are the moments of a clock whose first digits were not read: 7:36 may have been 77:36, 07:36 may have been 107:36.
func withLostDigits(t Time, tens, hundred bool) []moment {
	var out []moment
	for lost := 10; t.Minute()+lost <= LastMinute; lost += 10 {
		if !tens && lost != 100 || lost >= 100 && !hundred {
			continue
		}
		s := t
		s.Seconds += lost * 60
		s.Period = likelyPeriod(s.Minute())
		for _, m := range usualMoments(s, false) {
			m.unusual, m.lostDigit = true, true
			out = append(out, m)
		}
	}
	return out
}

// alternatives are what else a label leaves open: a clock that stands for its stoppage time, and one that restarts each half
// and runs past its end. restarted says that the label made the clock mean more than it shows.
func alternatives(t Time, p Period, restarted, hasAdded bool) []moment {
	var out []moment
	m := t.Minute()
	if base, ok := atPeriodEnd(t); ok && !hasAdded {
		out = append(out, moment{from: base * 60, to: (base+maxStoppage)*60 + 59, minute: base, period: PeriodOf(base), periodKnown: true, unusual: true, stoppedClock: true})
	}
	if p == Second && m > 45 && m < 45+maxStoppage {
		s := t
		s.Seconds += 45 * 60
		out = append(out, momentOf(s, Second, true, true))
	}
	if p == Second && m == 90 && restarted { // 45:10 labelled second half is its end, or its very beginning
		s := t
		s.Seconds -= 45 * 60
		out = append(out, momentOf(s, Second, true, true))
	}
	return out
}
