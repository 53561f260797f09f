package day_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/bench/chaos/day"
)

func TestPostsAreNamedByTheirPlaceInTheScript(t *testing.T) {
	t.Parallel()
	s, err := day.Read()
	require.NoError(t, err)
	require.Equal(t, "own 1 master", s.Post(strconv.Itoa(99<<22|1)))
	require.Equal(t, "own 2 reencode", s.Post(strconv.Itoa(99<<22|2)))
	require.Equal(t, "spot 1 reencode", s.Post(strconv.Itoa(99<<22|5)))
	require.Equal(t, strconv.Itoa(99<<22|4000), s.Post(strconv.Itoa(99<<22|4000)))
	require.Equal(t, "x", s.Post("x"))
}

func TestNoGoalHasMorePostsThanItsSearchesCanTake(t *testing.T) {
	t.Parallel()
	s, err := day.Read()
	require.NoError(t, err)
	least, most := s.Clips()
	require.Positive(t, least)
	require.GreaterOrEqual(t, most, least)
	for _, f := range s.Fixtures {
		n := 0 // a search of one goal finds those of the others of its match, too
		for _, e := range f.Events {
			n += len(e.Posts)
		}
		require.Less(t, n, 50, f.ID)
	}
}
