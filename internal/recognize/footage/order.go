package footage

import (
	"cmp"
	"slices"
)

// Order says about which of several videos to ask first: whose answer holds for most of those that wait. They are compared by footage
// alone; what one says of itself counts for nothing.
func Order(videos, waiting []Footage) []int {
	serves := make([]int, len(videos))
	order := make([]int, len(videos))
	for i, v := range videos {
		order[i] = i
		for _, w := range waiting {
			if w.Within(v) {
				serves[i]++
			}
		}
	}
	slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(serves[k], serves[i]) })
	return order
}
