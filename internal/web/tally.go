package web

import (
	"fmt"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// Tally counts a match's events for people: "3 goals, 1 red card".
func (v fixtureView) Tally() string {
	var out []string
	for _, t := range footy.Kinds() {
		n := 0
		for i := range v.Events {
			if v.Events[i].Kind == t.Kind {
				n++
			}
		}
		switch {
		case n == 1:
			out = append(out, "1 "+t.One)
		case n > 1:
			out = append(out, fmt.Sprintf("%d %s", n, t.Many))
		}
	}
	return strings.Join(out, ", ")
}
