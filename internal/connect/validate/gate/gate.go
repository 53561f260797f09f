// Package gate turns away what cannot be a goal clip by its shape alone: length, aspect, size. It judges only what is
// known: a value nobody reported never rejects anything.
package gate

import (
	"github.com/found-footy/found-footy/internal/footy"
)

// MaxDuration of a clip, in seconds.
const MaxDuration = 60.0

const (
	minDuration = 3.0  // seconds
	minAspect   = 1.33 // width over height; phones held upright lie below
	maxSize     = 256 << 20
)

// slack forgives what rounding does to limits: a 60 s video often reports 60.04, a 4:3 picture 1.3319.
const (
	durationSlack = 0.1
	aspectSlack   = 0.005
)

// Metadata judges a candidate before any byte is fetched.
func Metadata(c footy.Candidate) error {
	op := "check post " + c.PostID
	if c.DurationMS > 0 {
		if err := duration(op, float64(c.DurationMS)/1000); err != nil {
			return err
		}
	}
	return aspect(op, c.Width, c.Height)
}

// File judges a downloaded file by its probe, before it is decoded. Only the decode knows that one is too short.
func File(p footy.Probe, size int64) error {
	const op = "check file"
	if size > maxSize {
		return footy.Reject(op, footy.ReasonTooLarge, "%d bytes, limit %d", size, maxSize)
	}
	if err := duration(op, max(p.Duration, minDuration)); err != nil {
		return err
	}
	return aspect(op, p.Width, p.Height)
}

// Decoded judges how long a file was when it was decoded.
func Decoded(seconds float64) error { return duration("check file", seconds) }

func duration(op string, seconds float64) error {
	if seconds < minDuration-durationSlack {
		return footy.Reject(op, footy.ReasonTooShort, "%.1f s, shortest allowed %g s", seconds, minDuration)
	}
	if seconds > MaxDuration+durationSlack {
		return footy.Reject(op, footy.ReasonTooLong, "%.1f s, longest allowed %g s", seconds, MaxDuration)
	}
	return nil
}

func aspect(op string, width, height int) error {
	if width <= 0 || height <= 0 {
		return nil
	}
	if a := float64(width) / float64(height); a < minAspect-aspectSlack {
		return footy.Reject(op, footy.ReasonPortrait, "%dx%d is %.2f:1, narrowest allowed %.2f:1", width, height, a, minAspect)
	}
	return nil
}
