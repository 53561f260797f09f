// Package clock reads broadcast clocks and decides whether a clip shows the minute of its goal. A reading that can mean
// two moments keeps both; a number without its period proves little, for 45+2 is not 47.
package clock

import (
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
)

// Period of play.
type Period string

// The periods. Extra is extra time of which half is not said.
const (
	Unknown Period = ""
	First   Period = "1H"
	Second  Period = "2H"
	Extra1  Period = "ET1"
	Extra2  Period = "ET2"
	Extra   Period = "ET"
)

// PeriodOf is the period of a minute as the feed counts: elapsed stays 45, 90, 105 in stoppage time.
func PeriodOf(elapsed int) Period {
	switch {
	case elapsed <= 0:
		return Unknown
	case elapsed <= 45:
		return First
	case elapsed <= 90:
		return Second
	case elapsed <= 105:
		return Extra1
	}
	return Extra2
}

// Tolerance is how many minutes a clock may differ from the goal's unless a setting says otherwise.
const Tolerance = 3

// Question is what Check needs to know of the goal.
type Question struct {
	Minute    footy.Minute // the feed's minute; nothing elapsed = the feed gives none
	Kind      footy.Kind   // what is not a goal must be seen in a picture, too
	Siblings  []Sibling    // the other events of the match
	Tolerance int          // minutes
	Before    footy.Score  // of the match, before and after the goal
	After     footy.Score
	Cancelled [2]int    // goals of home and away that were shown up to this one, and do not count
	Teams     [2]Team   // home and away
	Others    [][2]Team // of the matches around it
	beside    *footy.ScoreBeside
}

// HasMinute is false where the feed gives no minute to compare a clock with.
func (q Question) HasMinute() bool { return q.Minute.Known() }

// inStoppage reports whether an event of the match fell in the stoppage time after a minute.
func (q Question) inStoppage(end int) bool {
	in := func(m footy.Minute) bool { return m.Elapsed == end && m.Extra > 0 }
	return in(q.Minute) || slices.ContainsFunc(q.Siblings, func(s Sibling) bool { return in(s.Minute) })
}

func (q Question) inExtraTime() bool {
	return q.Minute.Elapsed > 90 || slices.ContainsFunc(q.Siblings, func(s Sibling) bool { return s.Minute.Elapsed > 90 })
}

// Sibling is another event of the same match.
type Sibling struct {
	UID     string
	Minute  footy.Minute
	Kind    footy.Kind
	Removed bool        // it no longer stands
	Before  footy.Score // as Question has them
	After   footy.Score
}

// Time is one clock text understood.
type Time struct {
	Seconds  int    // of match time, as broadcast: 45+2 is 47:00
	Exact    bool   // seconds were shown
	Period   Period // given or derived from the number
	Pinned   bool   // the text itself says the period
	Stoppage bool   // the text itself says stoppage time
}

// Minute is the whole minute.
func (t Time) Minute() int { return t.Seconds / 60 }

// LastMinute is the last minute any clock of a match can show; boards reading "8888" and app timers lie beyond.
const LastMinute = 135

// LastExtra is the longest stoppage time that is believed, in minutes.
const LastExtra = 30

// likelyPeriod is the period a running clock is in, judged by its number alone.
func likelyPeriod(minute int) Period {
	switch {
	case minute < 45:
		return First
	case minute < 105:
		return Second // 90 to 105 is far more often stoppage time than extra time
	}
	return Extra2
}

// Absolute turns a displayed minute with a visible period label into the minute of the match. Score bugs run on or
// restart with each period; ok is false where the number fits neither.
func Absolute(displayed int, p Period) (minute int, ok bool) {
	switch p {
	case First:
		return displayed, displayed <= 60
	case Second:
		if displayed <= 45 {
			return displayed + 45, true
		}
		return displayed, displayed <= 110
	case Extra1, Extra:
		switch {
		case displayed <= 15, p == Extra && displayed <= 30:
			return displayed + 90, true
		case displayed >= 90 && displayed <= 110, p == Extra && displayed >= 90 && displayed <= LastMinute:
			return displayed, true
		}
	case Extra2:
		switch {
		case displayed <= 15:
			return displayed + 105, true
		case displayed <= 35:
			return displayed + 90, true // cumulative extra time
		case displayed >= 105 && displayed <= LastMinute:
			return displayed, true
		}
	case Unknown:
		return displayed, displayed <= LastMinute
	}
	return displayed, false
}
