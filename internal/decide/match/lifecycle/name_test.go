package lifecycle_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
)

func TestWithName(t *testing.T) {
	t.Parallel()
	found := []lifecycle.Followed{{ID: 1, Name: "Premier League", Country: "England"}, {ID: 2, Name: "Premier League", Country: "Russia"},
		{ID: 3, Name: "Bodo/Glimt", Country: "Norway"}, {ID: 4, Name: "Bayern München", Country: "Germany"}, {ID: 4, Name: "Bayern München", Country: "Germany"},
		{ID: 5, Name: "Arsenal", Country: "England"}, {ID: 6, Name: "Arsenal W", Country: "England"}}
	for asked, want := range map[string][]int64{
		"premier league": {1, 2}, "England/Premier League": {1}, "russia / premier league": {2}, "Scotland/Premier League": nil,
		"Bodø/Glimt": {3}, "Glimt": nil, "bayern munchen": {4}, "Arsenal": {5}, "England/Arsenal W": {6}, "arsenal u21": nil,
	} {
		var ids []int64
		for _, n := range lifecycle.WithName(asked, found) {
			ids = append(ids, n.ID)
		}
		require.Equal(t, want, ids, asked)
	}
	for asked, want := range map[string]string{"Arsenal": "Arsenal", "England/Premier League": "Premier League", "Bodø/Glimt": "Glimt", " x / y ": "y"} {
		require.Equal(t, want, lifecycle.SearchName(asked))
	}
}

func TestAChoiceIsTheSameInAnyOrder(t *testing.T) {
	t.Parallel()
	a, b := lifecycle.Follow{Leagues: []int64{39, 2}, Teams: []int64{42}}, lifecycle.Follow{Leagues: []int64{2, 39}, Teams: []int64{42}}
	require.Equal(t, a.String(), b.String())
	b.Leagues = nil
	require.NotEqual(t, a.String(), b.String())
	require.Equal(t, "La Liga", lifecycle.LeagueOf(140).Name)
	require.Equal(t, lifecycle.Followed{ID: 9999}, lifecycle.LeagueOf(9999))
}
