package source

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Searcher is a browser that takes searches from the queue, as it told last.
type Searcher struct {
	Name   string    `json:"name"` // its machine and address
	At     time.Time `json:"at"`
	Tabs   int       `json:"tabs"`
	Waits  State     `json:"waits,omitempty"` // why it takes none now; "" = it takes them
	Health Health    `json:"health"`
}

// SearchersKey is where they lie in the store's service state, by name.
const SearchersKey = "searchers"

// Searchers are the browsers that take searches.
type Searchers map[string]Searcher

const (
	// SearcherEvery is how often each tells of itself.
	SearcherEvery = 20 * time.Second
	// one that is silent for so long is gone; the clocks of machines differ by less.
	searcherGone = 90 * time.Second
	// and after this long it is forgotten.
	searcherForgotten = 24 * time.Hour
)

// Put notes what one tells, and forgets those that are long gone.
func (s Searchers) Put(one Searcher) Searchers {
	if s == nil { // the first that ever told
		s = Searchers{}
	}
	maps.DeleteFunc(s, func(_ string, old Searcher) bool { return one.At.Sub(old.At) > searcherForgotten })
	s[one.Name] = one
	return s
}

// Present are those that were heard of lately, by name.
func (s Searchers) Present(now time.Time) []Searcher {
	out := slices.DeleteFunc(slices.Collect(maps.Values(s)), func(one Searcher) bool { return now.Sub(one.At) > searcherGone })
	slices.SortFunc(out, func(a, b Searcher) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// WhyUntaken says why none of them took a search that lay in the queue.
func WhyUntaken(present []Searcher) State {
	for _, why := range []State{"", StateRateLimited, StateLoginRequired, StateUpstreamError} {
		if slices.ContainsFunc(present, func(s Searcher) bool { return s.Waits == why }) {
			return cmp.Or(why, footy.SearchBusy)
		}
	}
	return footy.SearchUnreachable
}
