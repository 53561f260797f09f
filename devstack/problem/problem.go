// Package problem is the one error of this program meant for people: what is wrong, with which thing, and what to do.
package problem

import "fmt"

// Exit codes of the program. InUse is separate so that a caller can look for the running instance instead of giving up, Damaged so that
// it can set the database aside, Unusable so that it can try another: the server does not come up on one that SQLite can read.
const (
	Failed   = 1
	Usage    = 2
	InUse    = 3
	Damaged  = 4
	Unusable = 5
)

// Error prints as one line: thing, what is wrong, remedy. Err keeps the cause for errors.Is.
type Error struct {
	Thing  string
	What   string
	Remedy string
	Code   int
	Err    error
}

func (e *Error) Error() string {
	line := fmt.Sprintf("%s: %s", e.Thing, e.What)
	if e.Remedy != "" {
		line += "; " + e.Remedy
	}
	return line
}

func (e *Error) Unwrap() error { return e.Err }

// ExitCode is what the process ends with.
func (e *Error) ExitCode() int {
	if e.Code == 0 {
		return Failed
	}
	return e.Code
}
