package round

import (
	"fmt"

	"github.com/found-footy/found-footy/internal/footy"
)

// MostAhead bounds the searches for an event whose scorer nobody names for an hour: the first of its round finds what came later.
const MostAhead = 10

// Ahead reports whether posts of an event are searched for because a poll saw it that did not make it certain; n is which sighting that is.
// Of an event that is caught up nobody waits for a clip.
func Ahead(e *footy.Event, poll string) (n int, ok bool) {
	n = len(e.Votes)
	return n, n > 0 && n <= MostAhead && e.Votes[n-1] == poll && !e.Certain() && e.Standing() && !e.CaughtUp
}

// AheadID names the workflow of the search at an event's n-th sighting.
func AheadID(e footy.Event, n int) string { return cleanID(fmt.Sprintf("ahead%d-%s", n, e.ID)) }
