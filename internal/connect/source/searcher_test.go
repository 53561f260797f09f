package source_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
)

func TestWhySearchesAreNotTaken(t *testing.T) {
	t.Parallel()
	for want, waits := range map[source.State][]source.State{
		footy.SearchUnreachable:   nil,
		footy.SearchBusy:          {source.StateRateLimited, ""},
		source.StateRateLimited:   {source.StateLoginRequired, source.StateRateLimited},
		source.StateLoginRequired: {source.StateUpstreamError, source.StateLoginRequired},
		source.StateUpstreamError: {source.StateUpstreamError},
	} {
		var present []source.Searcher
		for _, w := range waits {
			present = append(present, source.Searcher{Waits: w})
		}
		require.Equal(t, want, source.WhyUntaken(present))
	}
}

func TestSearchersThatAreSilentAreGone(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 14, 15, 0, 0, 0, time.UTC)
	all := source.Searchers(nil).Put(source.Searcher{Name: "b", At: now.Add(-25 * time.Hour)})
	all = all.Put(source.Searcher{Name: "c", At: now.Add(-2 * time.Minute)})
	all = all.Put(source.Searcher{Name: "a", At: now.Add(-time.Minute)}).Put(source.Searcher{Name: "d", At: now.Add(time.Minute)})
	require.Len(t, all, 3, "one of yesterday is forgotten")
	present := all.Present(now)
	require.Len(t, present, 2)
	require.Equal(t, "a", present[0].Name)
	require.Equal(t, "d", present[1].Name, "a clock that is ahead")
}
