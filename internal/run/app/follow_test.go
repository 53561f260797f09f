package app_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
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
	require.False(t, follows(mine, "leagues [39] teams [42]"))
	require.True(t, follows(mine, "leagues [39] teams []"))
	require.False(t, follows(mine, ""), "an older version did not say")
}

// TestAStateBelongsToOneFeed: the ids of one feed mean other matches, or none, to the other.
func TestAStateBelongsToOneFeed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	starts := func(feed string, match int64) error {
		a, err := app.New(t.Context(), parsed(t, map[string]string{"STATE_DIR": dir, "API_FOOTBALL_KEY": "k", "FEED": feed}), slog.New(slog.DiscardHandler), "test")
		require.NoError(t, err)
		defer a.Close()
		if err := a.TakeFeed(t.Context()); err != nil {
			return err
		}
		if match != 0 {
			require.NoError(t, a.Store.Add(t.Context(), footy.Fixture{ID: match, Stage: footy.StageStaging}))
		}
		return nil
	}
	require.NoError(t, starts("api-football", 0), "a new state")
	require.NoError(t, starts("espn", 0), "there are no matches yet")
	require.NoError(t, starts("api-football", 0))
	require.NoError(t, starts("espn", 501))
	err := starts("api-football", 0)
	require.ErrorContains(t, err, "the matches of this state have the ids of espn, and api-football has others: set FEED=espn, or begin a new state (STATE_DIR, or another database) for api-football")
	require.Equal(t, footy.CodeInvalid, footy.CodeOf(err))
	require.NoError(t, starts("espn", 0))

	dir = t.TempDir() // where nobody has chosen yet
	a, err := app.New(t.Context(), parsed(t, map[string]string{"STATE_DIR": dir, "FEED": ""}), slog.New(slog.DiscardHandler), "test")
	require.NoError(t, err)
	a.SetsUp()
	require.NoError(t, a.TakeFeed(t.Context()))
	require.NoError(t, a.Store.Add(t.Context(), footy.Fixture{ID: 501, Stage: footy.StageStaging}))
	require.NoError(t, a.Close())
	require.NoError(t, starts("api-football", 1))
	require.ErrorContains(t, starts("espn", 0), "set FEED=api-football")

	dir = t.TempDir() // of a release that had one feed
	a, err = app.New(t.Context(), parsed(t, map[string]string{"STATE_DIR": dir}), slog.New(slog.DiscardHandler), "test")
	require.NoError(t, err)
	require.NoError(t, a.Store.Add(t.Context(), footy.Fixture{ID: 1, Stage: footy.StageStaging}))
	require.NoError(t, a.Close())
	require.ErrorContains(t, starts("espn", 0), "set FEED=api-football")

	var said bytes.Buffer // whose key is gone
	a, err = app.New(t.Context(), parsed(t, map[string]string{"STATE_DIR": dir, "FEED": ""}), slog.New(slog.NewTextHandler(&said, nil)), "test")
	require.NoError(t, err)
	defer a.Close()
	require.True(t, a.Config.Feed.Missing(), "its matches are shown, and none is followed")
	require.NoError(t, a.TakeFeed(t.Context()))
	require.Contains(t, said.String(), "the matches of this state come from API-Football and API_FOOTBALL_KEY is not set")
	_, err = a.Store.Fixture(t.Context(), 1)
	require.NoError(t, err)
}

// TestAStartThatFailsGivesUpNoMatches: a start with a key deleted ESPN's matches before anything else of it was tried.
func TestAStartThatFailsGivesUpNoMatches(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	opened := func(set map[string]string) *app.App {
		t.Helper()
		set["STATE_DIR"], set["SOURCES"] = dir, "xweb,xapi"
		a, err := app.New(t.Context(), parsed(t, set), slog.New(slog.DiscardHandler), "test")
		require.NoError(t, err)
		return a
	}
	first := opened(map[string]string{"FEED": ""})
	first.SetsUp()
	require.NoError(t, first.TakeFeed(t.Context()))
	require.NoError(t, first.Store.Add(t.Context(), footy.Fixture{ID: 501, Stage: footy.StageStaging}))
	require.NoError(t, first.Close())

	starts := func(devstack string) (matches int, err error) {
		t.Helper()
		a := opened(map[string]string{"FEED": "api-football", "API_FOOTBALL_KEY": "k", "API_FOOTBALL_URL": "http://" + devtest.FreeAddr(t),
			"TRACK_LEAGUES": "39", "FOOTY_DEVSTACK": devstack, "TEMPORAL_UI_PORT": "0"})
		defer a.Close()
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		err = a.Run(ctx, app.Roles{Worker: true, Queues: []string{policy.QueueMain}, Ready: func(app.Ready) { stop() }})
		known, listErr := a.Store.List(t.Context(), store.FixtureQuery{})
		require.NoError(t, listErr)
		return len(known), err
	}
	matches, err := starts("/nowhere/footy-devstack")
	require.Error(t, err)
	require.Equal(t, 1, matches, "the start failed")
	downloads := filepath.Join(dir, "tmp")
	require.NoError(t, os.RemoveAll(downloads))
	require.NoError(t, os.WriteFile(downloads, nil, 0o600))
	matches, err = starts(devtest.Engine(t))
	require.ErrorContains(t, err, "create a directory for downloads")
	require.Equal(t, 1, matches, "the engine has taken all, and the worker failed")
	require.NoError(t, os.Remove(downloads))
	matches, err = starts(devtest.Engine(t))
	if !errors.Is(err, context.Canceled) {
		require.NoError(t, err)
	}
	require.Zero(t, matches, "the key's are followed")
}
