package clip

import (
	"fmt"

	"github.com/found-footy/found-footy/internal/world/film/strip"
	"github.com/found-footy/found-footy/internal/world/script"
)

// Seen is what a viewer sees in a scene at t seconds: the kind of picture and the score bug's clock in its own notation.
func (s Scene) Seen(t float64) strip.Reading {
	r := strip.Blank()
	switch s.Content {
	case script.NotFootball:
		return r
	case script.Meme:
		t = 0 // a still picture
	case script.PhoneFilm:
		r.Soccer, r.Screen = true, true
	default:
		r.Soccer = true
	}
	if r.Soccer {
		r.Shows = s.Shows
	}
	second := s.Second + int(t)
	minute := second / 60
	switch {
	case s.Bug == "none":
		return r
	case s.Bug == "frozen" && s.Added > 0:
		base := regular(minute)
		r.Minute, r.Second, r.Added = base, 0, s.Added
		r.SubMinute, r.SubSecond = (second-base*60)/60, second%60
	case s.Bug == "restart":
		r.Period, r.Minute = s.restarted(minute)
		r.Second = second % 60
	default:
		r.Minute, r.Second = minute, second%60
		if s.Added > 0 {
			r.Added = s.Added
		}
	}
	return r
}

// Clock is the text of the main clock, "" if none is shown.
func Clock(r strip.Reading) string {
	if r.Minute < 0 {
		return ""
	}
	return fmt.Sprintf("%02d:%02d", r.Minute, r.Second)
}

// SubClock is the text of the second timer, "" if none is shown.
func SubClock(r strip.Reading) string {
	if r.SubMinute < 0 {
		return ""
	}
	return fmt.Sprintf("%02d:%02d", r.SubMinute, r.SubSecond)
}

// regular is the end of the period a stoppage minute belongs to.
func regular(minute int) int {
	for _, end := range []int{120, 105, 90} {
		if minute >= end {
			return end
		}
	}
	return 45
}

// restarted tells the label and minute of a clock that starts anew each half.
func (s Scene) restarted(minute int) (string, int) {
	switch {
	case minute < 45 || s.Added > 0 && minute < 60:
		return "1H", minute
	case minute < 90 || s.Added > 0 && minute < 100:
		return "2H", minute - 45
	case minute < 105:
		return "ET1", minute - 90
	}
	return "ET2", minute - 105
}
