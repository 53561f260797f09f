package app_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/world/film/crest"
	"github.com/stretchr/testify/require"
)

func TestLogosAreOurOwnCopies(t *testing.T) {
	t.Parallel()
	for feed, at := range map[string]string{config.APIFootball: "API_FOOTBALL_URL", config.ESPN: "ESPN_URL"} {
		t.Run(feed, func(t *testing.T) {
			t.Parallel()
			logosOf(t, feed, at)
		})
	}
}

func logosOf(t *testing.T, feed, at string) {
	t.Helper()
	pictures := httptest.NewServer(http.StripPrefix("/pictures", crest.Server()))
	defer pictures.Close()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a host that is not the feed's was asked") }))
	defer elsewhere.Close()
	dir := t.TempDir()
	a, url, _ := serve(t, map[string]string{"STATE_DIR": dir, "WEB_ADDR": "127.0.0.1:0", "API_FOOTBALL_KEY": "k",
		"FEED": feed, at: pictures.URL, "MEDIA_ALLOW_PRIVATE": "true"})
	require.NoError(t, a.Store.Add(t.Context(), footy.Fixture{ID: 1, Stage: footy.StageStaging, Match: footy.Match{ID: 1, Kickoff: time.Now()},
		Teams: footy.Teams{Home: footy.Team{ID: 7, Name: "Northgate", Logo: pictures.URL + "/pictures/football/teams/7.png"},
			Away: footy.Team{ID: 8, Name: "Seaford", Logo: elsewhere.URL + "/8.png"}}}))
	res, err := http.Get(url + "/day/" + time.Now().UTC().Format(time.DateOnly))
	require.NoError(t, err)
	page := readAll(t, res)
	require.Contains(t, page, "/logo/team/7")
	require.NotContains(t, page, pictures.URL, "never hot-linked")
	kind := func(path string) string {
		res, err := http.Get(url + path)
		require.NoError(t, err)
		defer res.Body.Close()
		_, _ = io.Copy(io.Discard, res.Body)
		return res.Header.Get("Content-Type")
	}
	require.Equal(t, "image/png", kind("/logo/team/7"))
	require.Equal(t, "image/svg+xml", kind("/logo/team/8"), "drawn where none is to be had")
	kept, err := filepath.Glob(filepath.Join(dir, "clips", "logos", "team", "*"))
	require.NoError(t, err)
	require.NotEmpty(t, kept)
}
