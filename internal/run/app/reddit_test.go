package app_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/world"
	"github.com/found-footy/found-footy/internal/world/script"
)

func TestRedditIsAskedBesideXOrAlone(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/v1/access_token" {
			_, _ = w.Write([]byte(`{"access_token": "t", "expires_in": 86400}`))
			return
		}
		_, _ = w.Write([]byte(`{"kind": "Listing", "data": {"children": []}}`))
	}))
	t.Cleanup(site.Close)
	set := map[string]string{"REDDIT_CLIENT_ID": "app", "REDDIT_CLIENT_SECRET": "secret", "REDDIT_URL": site.URL, "REDDIT_API_URL": site.URL}
	alone := opened(t, parsed(t, set))
	require.Equal(t, "reddit", alone.Source.Name())
	require.Equal(t, source.StateEmpty, found(t, alone), "no account of X is needed")

	o := away(t)
	set["X_BEARER_TOKEN"], set["X_API_URL"] = "sesame", o.api.URL
	both := opened(t, parsed(t, set))
	require.Equal(t, "xapi,reddit", both.Source.Name())
	require.Equal(t, source.StateEmpty, found(t, both))
	require.EqualValues(t, 1, o.bought.Load())
}

func TestWithNothingSetRedditIsAskedByItsPublicList(t *testing.T) {
	t.Parallel()
	w, err := world.New(world.Options{ClipDir: t.TempDir()})
	require.NoError(t, err)
	require.NoError(t, w.Start(t.Context()))
	t.Cleanup(func() { _ = w.Close() })
	for name, tc := range map[string]struct {
		set map[string]string
		by  string
	}{
		"nothing":    {nil, "the public list"},
		"an address": {map[string]string{"REDDIT_FEED": "https://www.reddit.com/r/soccer/new/.rss?feed=" + world.RedditToken + "&user=" + world.RedditUser}, "the RSS address of " + world.RedditUser},
		"an app":     {map[string]string{"REDDIT_CLIENT_ID": world.RedditApp, "REDDIT_CLIENT_SECRET": world.RedditSecret}, "an app of yours"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			vars := map[string]string{"STATE_DIR": t.TempDir(), "FEED": "api-football", "REDDIT_URL": w.URL() + "/reddit", "REDDIT_API_URL": w.URL() + "/reddit/api", "REDDIT_ARCHIVE": "off"}
			maps.Copy(vars, tc.set)
			c, err := config.Parse(vars)
			require.NoError(t, err)
			a := opened(t, c)
			require.Equal(t, "reddit", a.Source.Name())
			require.Contains(t, []source.State{source.StateEmpty, source.StateResults}, found(t, a), "it could look; the day goes on meanwhile")
			for _, f := range app.Doctor(t.Context(), c, "test") {
				if f.Name == health.Search {
					require.Equal(t, health.StateOK, f.State)
					require.Contains(t, f.Facts["reddit_by"], tc.by)
					require.NotContains(t, fmt.Sprint(f), world.RedditToken)
				}
			}
		})
	}
}

func TestARefusedPublicListIsToldWithItsRemedy(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{script.RedditLimited, script.RedditBlocked} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			day := script.Short()
			require.NoError(t, day.With(mode))
			w, err := world.New(world.Options{Script: day, ClipDir: t.TempDir()})
			require.NoError(t, err)
			require.NoError(t, w.Start(t.Context()))
			t.Cleanup(func() { _ = w.Close() })
			c, err := config.Parse(map[string]string{"STATE_DIR": t.TempDir(), "FEED": "api-football", "REDDIT_URL": w.URL() + "/reddit", "REDDIT_ARCHIVE": "off"})
			require.NoError(t, err)
			res, err := opened(t, c).Source.Search(t.Context(), source.Query{})
			require.NoError(t, err)
			require.False(t, res.State.Usable())
			require.Equal(t, footy.ReasonRedditPublic, res.Reason)
			require.Positive(t, res.RetryAfter)
			for _, f := range app.Doctor(t.Context(), c, "test") {
				if f.Name == health.Search {
					require.Equal(t, health.StateDown, f.State)
					require.Contains(t, f.Reason, "Reddit refuses its public list to this machine")
					require.Contains(t, f.Remedy, "preferences > RSS feeds")
				}
			}
			c.Reddit.Feed = "https://www.reddit.com/.rss?feed=" + world.RedditToken + "&user=" + world.RedditUser
			require.Contains(t, []source.State{source.StateEmpty, source.StateResults}, found(t, opened(t, c)), "the remedy helps; the day goes on meanwhile")
		})
	}
}
