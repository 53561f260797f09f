//go:build linux && amd64

package proc

// SetClock makes the clock of a process wrong.
var SetClock = setClock
