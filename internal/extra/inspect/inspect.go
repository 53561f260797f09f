// Package inspect runs one rule on a person's own input. Each question is a function that reads the input, asks the rule
// and returns its answer: one JSON value for programs, which says itself in plain lines for people (String).
package inspect

import "github.com/found-footy/found-footy/internal/run/port"

// Extra is what inspect adds.
func Extra() port.Extra {
	return port.Extra{Name: "inspect", Commands: []port.Command{{Name: "inspect", Help: "Run one rule on your own input and explain the answer.", Run: &Cmd{}}}}
}
