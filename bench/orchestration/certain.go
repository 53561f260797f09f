package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/found-footy/found-footy/bench/rig"
)

// The evening on which certain measures.
const (
	stagedFixtures = 500
	certainGoals   = 9
)

// certain measures how long a goal that became certain waits for its first search when everything else is due at once, and
// neither the page nor Wikidata answers.
func certain(ctx context.Context, devstack string) error {
	at, dir, stop, err := rig.Engine(ctx, devstack)
	if err != nil {
		return err
	}
	defer stop()
	v, err := rig.NewEvening(ctx, "", dir, stagedFixtures, certainGoals, at)
	if err != nil {
		return err
	}
	defer v.Stop()
	var waits, cycles []time.Duration
	for n := range certainGoals {
		c, err := v.Certain(ctx, n)
		if err != nil {
			return err
		}
		waits, cycles = append(waits, c.Searched), append(cycles, c.Cycle.Wall)
	}
	slices.Sort(waits)
	slices.Sort(cycles)
	mid := certainGoals / 2
	fmt.Printf("From a goal's certainty to its first search: %d staged fixtures due in the same poll, sweep, waiting posts and a dead search due,\n"+
		"page and Wikidata accept and never answer\n  %d goals: median %.2f s, worst %.2f s (wanted: 2 s); the whole cycle: median %.2f s, worst %.2f s\n",
		stagedFixtures, certainGoals, waits[mid].Seconds(), waits[len(waits)-1].Seconds(), cycles[mid].Seconds(), cycles[len(cycles)-1].Seconds())
	return nil
}
