package demo

import "time"

// TooSlow says what a machine says that was late with looks and searches.
func TooSlow(scale int, lookDue, look, searchDue, search time.Duration) string {
	return tooSlow(scale, beat{"a look at a match", lookDue, look}, beat{"a search of a goal", searchDue, search})
}

// BetweenSearches lets tests see which times between two searches count.
var BetweenSearches = betweenSearches
