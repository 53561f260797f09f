package engine

import "time"

// LogMost and CutLog are how the log of an engine is cut.
const LogMost = logMost

var CutLog = cutLog

// Hasty waits less for an engine that does not answer, or does not serve.
func Hasty(o Options) Options {
	o.busyFor, o.serveWithin = 2*time.Second, 2*time.Second
	return o
}
