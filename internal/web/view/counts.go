package view

import (
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// countedKinds names the kinds of events in the order they are counted.
var countedKinds = []struct {
	kind      footy.Kind
	one, many string
}{
	{footy.KindGoal, "goal", "goals"}, {footy.KindRedCard, "red card", "red cards"}, {footy.KindYellowCard, "yellow card", "yellow cards"},
	{footy.KindVAR, "VAR decision", "VAR decisions"}, {footy.KindMissedPenalty, "missed penalty", "missed penalties"},
}

// EventCounts says what happened in a match: "3 goals, 1 red card".
func (f Fixture) EventCounts() string {
	var out []string
	for _, k := range countedKinds {
		n := 0
		for i := range f.Events {
			if f.Events[i].Kind == k.kind {
				n++
			}
		}
		if n > 0 {
			out = append(out, Plural(n, k.one, k.many))
		}
	}
	return strings.Join(out, ", ")
}

// Counts are the figures of a day.
type Counts struct{ Fixtures, Live, Goals, WithClip, Clips int }

// Add counts a match in.
func (c *Counts) Add(f Fixture) {
	c.Fixtures++
	if f.Status.Phase == PhaseLive {
		c.Live++
	}
	for _, e := range f.Events {
		c.Clips += len(e.Clips)
		if e.Kind != footy.KindGoal {
			continue
		}
		c.Goals++
		if len(e.Clips) > 0 {
			c.WithClip++
		}
	}
}
