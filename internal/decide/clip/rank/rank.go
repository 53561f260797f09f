// Package rank orders an event's clips for people. The order is a function of the clips alone: recomputed, never patched.
package rank

import (
	"cmp"
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
)

// Apply sorts the event's clips best first and numbers the visible ones 1..n; clips nobody may see get rank 0 and
// stand behind.
func Apply(event *footy.Event) {
	slices.SortStableFunc(event.Clips, Compare)
	n := 0
	for i := range event.Clips {
		c := &event.Clips[i]
		c.Rank = 0
		if c.Visible() {
			n++
			c.Rank = n
		}
	}
}

// Compare says which clip people should see first; the first criterion in which the two differ decides.
func Compare(a, b footy.Clip) int {
	return cmp.Or(
		yesFirst(a.Visible(), b.Visible()),
		yesFirst(a.Pinned, b.Pinned),
		yesFirst(a.Verified, b.Verified),
		yesFirst(!a.Unplayed, !b.Unplayed),
		cmp.Compare(b.Popularity, a.Popularity),
		cmp.Compare(b.Size, a.Size),
		cmp.Compare(a.Digest, b.Digest),
		cmp.Compare(a.ID, b.ID),
	)
}

func yesFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}
