package check_test

import (
	"slices"
	"testing"

	"github.com/found-footy/found-footy/internal/connect/feed/follow"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/stretchr/testify/require"
)

// TestHealthSaysWhatIsFollowedAndWhatTheFeedDoesNotKnow: with an id that nobody has the page stayed empty, and Health said that all is well.
func TestHealthSaysWhatIsFollowedAndWhatTheFeedDoesNotKnow(t *testing.T) {
	t.Parallel()
	const key = "0123456789abcdef0123456789abcdef"
	arsenal, nobody := lifecycle.Followed{ID: 42, Name: "Arsenal", Country: "England"}, lifecycle.Followed{ID: 99999}
	unknown := []follow.Unknown{{Setting: "TRACK_TEAMS", ID: 99999, Why: "no team 99999 is known to the feed"}}
	look := func(feed string, last ingest.LastIngest) health.Part {
		c := parsed(t, map[string]string{"FEED": feed, "API_FOOTBALL_KEY": key, "TRACK_LEAGUES": "none", "TRACK_TEAMS": "99999"})
		a := opened(t, c)
		require.NoError(t, a.Store.PutState(t.Context(), ingest.StateKey, last))
		all := check.New(check.Options{Config: c, Store: a.Store, Blob: a.Blob, Feed: a.Feed, Source: a.Source}).Look(t.Context()).Parts
		i := slices.IndexFunc(all, func(p health.Part) bool { return p.Name == health.Followed })
		require.NotEqual(t, -1, i)
		return all[i]
	}
	p := look(config.APIFootball, ingest.LastIngest{})
	require.True(t, p.Unasked, "before the first list")

	p = look(config.APIFootball, ingest.LastIngest{Choice: follow.Choice{Teams: []lifecycle.Followed{arsenal}}})
	require.Equal(t, health.StateOK, p.State)
	require.False(t, p.Unasked)
	require.Equal(t, "Only the matches of Arsenal (England, 42), in any competition.", p.Sentence())

	p = look(config.APIFootball, ingest.LastIngest{Choice: follow.Choice{Teams: []lifecycle.Followed{arsenal, nobody}}, Unknown: unknown})
	require.Equal(t, health.StateDegraded, p.State)
	require.Equal(t, "TRACK_TEAMS=99999: no team 99999 is known to the feed", p.Reason)
	require.Equal(t, "Find the right id with footy teams search NAME, correct the setting and start again. Followed meanwhile: only the matches of Arsenal (England, 42), in any competition.", p.Remedy)

	p = look(config.ESPN, ingest.LastIngest{Choice: follow.Choice{Teams: []lifecycle.Followed{nobody}}, Unknown: unknown})
	require.Equal(t, health.StateDegraded, p.State)
	require.Contains(t, p.Remedy, "If the club is between two seasons, the id may be right")
	require.Contains(t, p.Remedy, "No match is followed until then.")
}
