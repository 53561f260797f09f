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

// Criterion is what puts one clip before another.
type Criterion string

// The criteria, the first that tells two clips apart decides.
const (
	Visible    Criterion = "visible"
	Pinned     Criterion = "pinned"
	Verified   Criterion = "verified"
	Popularity Criterion = "popularity"
	Size       Criterion = "size"
	Digest     Criterion = "digest"
	ID         Criterion = "id"
)

var criteria = []struct {
	Criterion
	compare func(a, b footy.Clip) int
}{
	{Visible, func(a, b footy.Clip) int { return yesFirst(a.Visible(), b.Visible()) }},
	{Pinned, func(a, b footy.Clip) int { return yesFirst(a.Pinned, b.Pinned) }},
	{Verified, func(a, b footy.Clip) int { return yesFirst(a.Verified, b.Verified) }},
	{Popularity, func(a, b footy.Clip) int { return cmp.Compare(b.Popularity, a.Popularity) }},
	{Size, func(a, b footy.Clip) int { return cmp.Compare(b.Size, a.Size) }},
	{Digest, func(a, b footy.Clip) int { return cmp.Compare(a.Digest, b.Digest) }},
	{ID, func(a, b footy.Clip) int { return cmp.Compare(a.ID, b.ID) }},
}

// Compare tells which clip people should see first.
func Compare(a, b footy.Clip) int {
	n, _ := Decides(a, b)
	return n
}

// Decides is Compare with the criterion that tells the two apart; "" where none does.
func Decides(a, b footy.Clip) (int, Criterion) {
	for _, c := range criteria {
		if n := c.compare(a, b); n != 0 {
			return n, c.Criterion
		}
	}
	return 0, ""
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
