package explain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

func TestFollowed(t *testing.T) {
	t.Parallel()
	arsenal, some := lifecycle.Followed{ID: 42, Name: "Arsenal", Country: "England"}, lifecycle.Followed{ID: 7}
	require.Equal(t, "only the matches of Arsenal (England, 42) and team 7, in any competition", explain.Followed(nil, []lifecycle.Followed{arsenal, some}))
	require.Equal(t, "the matches of La Liga (Spain, 140), UEFA Champions League (2) and league 271",
		explain.Followed([]lifecycle.Followed{lifecycle.LeagueOf(140), lifecycle.LeagueOf(2), lifecycle.LeagueOf(271)}, nil))
	require.Equal(t, "the matches of La Liga (Spain, 140), and every match of team 7", explain.Followed([]lifecycle.Followed{lifecycle.LeagueOf(140)}, []lifecycle.Followed{some}))
	const made = 1<<32 + 7 // an id that the feed made of a name
	require.Equal(t, "the matches of Serie A (Italy) and UEFA Champions League",
		explain.Followed([]lifecycle.Followed{{ID: made, Name: "Serie A", Country: "Italy"}, {ID: made + 1, Name: "UEFA Champions League", Country: "World"}}, nil))
}
