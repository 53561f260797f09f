// Package modelpace tells whether a vision model is fast enough for the goals that a day will bring.
package modelpace

import (
	"slices"
	"time"
)

// What a match brings, as observed: two matches see five or six goals.
const (
	matchLength   = 115 * time.Minute // half-time and stoppage included
	goalsPerMatch = 2.8
)

// AskedPerGoal is about how many clips of a goal a model is asked, where that was not measured yet: of its twenty candidates nine pass the
// gates (446 of 1,002 for 50 goals on one night), and of these known footage and the running clock leave half (docs/bench.md, "How
// often the model is asked").
const AskedPerGoal = 5

// Peak is the busiest time that is still to come.
type Peak struct {
	At      time.Time // when it begins
	Matches int       // under way at once
	Clips   float64   // an hour about which the model is asked
}

// Ahead finds the busiest time among kickoffs from now on; scale is how much faster than life the day runs, asked about how many clips of a
// goal the model is asked.
func Ahead(kickoffs []time.Time, scale int, asked float64, now time.Time) Peak {
	length := matchLength / time.Duration(max(scale, 1))
	moments := []time.Time{now}
	for _, k := range kickoffs {
		if k.After(now) {
			moments = append(moments, k)
		}
	}
	slices.SortFunc(moments, time.Time.Compare)
	var peak Peak
	for _, at := range moments {
		live := 0
		for _, k := range kickoffs {
			if !k.After(at) && at.Before(k.Add(length)) {
				live++
			}
		}
		if live > peak.Matches {
			peak = Peak{At: at, Matches: live, Clips: float64(live) * goalsPerMatch * asked / length.Hours()}
		}
	}
	return peak
}

// Carries is how many clips an hour the model can look at; 0 = not known.
func Carries(secondsPerClip float64, slots int) float64 {
	if secondsPerClip <= 0 {
		return 0
	}
	return float64(max(slots, 1)) * time.Hour.Seconds() / secondsPerClip
}

// Goals is how many goals an hour bring as many clips as the model can look at in one, if it is asked about so many of each.
func Goals(clipsAnHour, asked float64) float64 { return clipsAnHour / max(asked, leastAsked) }

// leastAsked keeps a day on which the running clock decided nearly everything from promising any number of goals.
const leastAsked = 0.5

// Pace is how fast a model answers so many questions at once.
type Pace struct {
	AtOnce          int     `json:"at_once"`
	QuestionsAnHour float64 `json:"questions_an_hour"`
}

// gain is how much more several at once must bring to be worth it: less is chance.
const gain = 1.15

// Helpful is the pace with as many questions at once as bring something, of measured ones in ascending order.
func Helpful(paces []Pace) Pace {
	best := paces[0]
	for _, p := range paces[1:] {
		if p.QuestionsAnHour > best.QuestionsAnHour*gain {
			best = p
		}
	}
	return best
}

// TooSlow reports whether the peak is more than the model carries: clips of that time come later than their goals.
func TooSlow(p Peak, carries float64) bool { return carries > 0 && p.Clips > carries }
