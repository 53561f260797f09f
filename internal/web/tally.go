package web

import (
	"fmt"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// tallied names the kinds of events in the order they are counted.
var tallied = []struct {
	kind      footy.Kind
	one, many string
}{
	{footy.KindGoal, "goal", "goals"}, {footy.KindRedCard, "red card", "red cards"}, {footy.KindYellowCard, "yellow card", "yellow cards"},
	{footy.KindVAR, "VAR decision", "VAR decisions"}, {footy.KindMissedPenalty, "missed penalty", "missed penalties"},
}

// Tally counts a match's events for people: "3 goals, 1 red card".
func (v fixtureView) Tally() string {
	var out []string
	for _, t := range tallied {
		n := 0
		for i := range v.Events {
			if v.Events[i].Kind == t.kind {
				n++
			}
		}
		switch {
		case n == 1:
			out = append(out, "1 "+t.one)
		case n > 1:
			out = append(out, fmt.Sprintf("%d %s", n, t.many))
		}
	}
	return strings.Join(out, ", ")
}
