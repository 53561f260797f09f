package app_test

import (
	"bytes"
	"log/slog"
	"testing"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/world"
	"github.com/found-footy/found-footy/tools/devtest"
	"github.com/stretchr/testify/require"
)

func playing(t *testing.T) *world.World {
	t.Helper()
	w, err := world.New(world.Options{ClipDir: t.TempDir()})
	require.NoError(t, err)
	require.NoError(t, w.Start(t.Context()))
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// TestAStartLooksUpWhatIsFollowed: a name that nobody has is refused like any wrong setting; a feed that does not answer is not.
func TestAStartLooksUpWhatIsFollowed(t *testing.T) {
	t.Parallel()
	set := map[string]string{"API_FOOTBALL_KEY": "0123456789abcdef0123456789abcdef", "API_FOOTBALL_URL": playing(t).URL() + "/football", "TRACK_LEAGUES": "none"}
	var said bytes.Buffer
	starts := func(teams, url string) error {
		set["TRACK_TEAMS"], set["API_FOOTBALL_URL"] = teams, url
		a, err := app.New(t.Context(), parsed(t, set), slog.New(slog.NewTextHandler(&said, nil)), "test")
		require.NoError(t, err)
		t.Cleanup(func() { _ = a.Close() })
		return a.LookUpFollowed(t.Context())
	}
	url := set["API_FOOTBALL_URL"]
	require.NoError(t, starts("Arsenal", url))
	err := starts("Arsenl", url)
	require.Equal(t, footy.CodeInvalid, footy.CodeOf(err))
	require.ErrorContains(t, err, `TRACK_TEAMS="Arsenl" is the name of no team`)
	require.NoError(t, starts("Arsenal", "http://"+devtest.FreeAddr(t)))
	require.Contains(t, said.String(), "no new match is followed until the names in the settings are looked up")
	require.NoError(t, starts("42", "http://"+devtest.FreeAddr(t)), "ids need nobody")
}

// TestOtherSettingsReadTodaysListAgain: a team that is new in TRACK_TEAMS is followed today, not from tomorrow.
func TestOtherSettingsReadTodaysListAgain(t *testing.T) {
	t.Parallel()
	follows := func(set map[string]string, last string) bool {
		a, err := app.New(t.Context(), parsed(t, set), slog.New(slog.DiscardHandler), "test")
		require.NoError(t, err)
		t.Cleanup(func() { _ = a.Close() })
		return a.FollowsOther(t.Context(), ingest.LastIngest{Followed: last})
	}
	mine := map[string]string{"TRACK_LEAGUES": "39", "TRACK_TEAMS": "42"}
	require.False(t, follows(mine, "leagues [39] teams [42] all false"))
	require.True(t, follows(mine, "leagues [39] teams [] all false"))
	require.False(t, follows(mine, ""), "an older version did not say")
}
