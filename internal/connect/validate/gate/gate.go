// Package gate turns away what cannot be a goal clip by its shape alone: length, aspect, size. It judges only what is
// known: a value nobody reported never rejects anything.
package gate

import (
	"github.com/found-footy/found-footy/internal/footy"
)

// Options are the limits.
type Options struct {
	MinDuration float64 // seconds
	MaxDuration float64 // seconds
	MinAspect   float64 // width over height; phones held upright lie below
	MaxSize     int64   // bytes
}

// Defaults returns the limits of the design.
func Defaults() Options {
	return Options{MinDuration: 3, MaxDuration: 60, MinAspect: 1.33, MaxSize: 256 << 20}
}

// slack forgives what rounding does to limits: a 60 s video often reports 60.04, a 4:3 picture 1.3319.
const (
	durationSlack = 0.1
	aspectSlack   = 0.005
)

// Metadata judges a candidate before any byte is fetched.
func Metadata(c footy.Candidate, opts Options) error {
	op := "check post " + c.PostID
	if c.DurationMS > 0 {
		if err := duration(op, float64(c.DurationMS)/1000, opts); err != nil {
			return err
		}
	}
	return aspect(op, c.Width, c.Height, opts)
}

// File judges a downloaded file by its probe, before it is decoded. Only the decode knows that one is too short.
func File(p footy.Probe, size int64, opts Options) error {
	const op = "check file"
	if size > opts.MaxSize {
		return footy.Reject(op, footy.ReasonTooLarge, "%d bytes, limit %d", size, opts.MaxSize)
	}
	if err := duration(op, max(p.Duration, opts.MinDuration), opts); err != nil {
		return err
	}
	return aspect(op, p.Width, p.Height, opts)
}

// Decoded judges how long a file was when it was decoded.
func Decoded(seconds float64, opts Options) error { return duration("check file", seconds, opts) }

func duration(op string, seconds float64, opts Options) error {
	if seconds < opts.MinDuration-durationSlack {
		return footy.Reject(op, footy.ReasonTooShort, "%.1f s, shortest allowed %g s", seconds, opts.MinDuration)
	}
	if seconds > opts.MaxDuration+durationSlack {
		return footy.Reject(op, footy.ReasonTooLong, "%.1f s, longest allowed %g s", seconds, opts.MaxDuration)
	}
	return nil
}

func aspect(op string, width, height int, opts Options) error {
	if width <= 0 || height <= 0 {
		return nil
	}
	if a := float64(width) / float64(height); a < opts.MinAspect-aspectSlack {
		return footy.Reject(op, footy.ReasonPortrait, "%dx%d is %.2f:1, narrowest allowed %.2f:1", width, height, a, opts.MinAspect)
	}
	return nil
}
