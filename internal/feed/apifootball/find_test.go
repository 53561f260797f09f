package apifootball_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/feed"
	"github.com/found-footy/found-footy/internal/feed/apifootball"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/httpx"
	"github.com/found-footy/found-footy/internal/world/day"
	"github.com/found-footy/found-footy/internal/world/football"
	"github.com/found-footy/found-footy/internal/world/script"
)

func at(t *testing.T, h http.Handler) *apifootball.Feed {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return apifootball.New(apifootball.Options{BaseURL: srv.URL, Key: "k", Timeout: 5 * time.Second}, httpx.New(httpx.Options{}))
}

func TestTeamsAndLeaguesAreFoundByName(t *testing.T) {
	t.Parallel()
	var f feed.Finder = at(t, football.New(script.Default(), day.StartedAt(time.Now(), 1)))
	for asked, want := range map[string]footy.Team{"Arsenal": {ID: 42, Name: "Arsenal", Country: "England"}, "bayern münchen": {ID: 157, Name: "Bayern München", Country: "Germany"},
		"B.-München": {ID: 157, Name: "Bayern München", Country: "Germany"}} { // only a stretch of it can be asked for
		teams, err := f.Teams(t.Context(), asked)
		require.NoError(t, err, asked)
		require.Len(t, teams, 3, "with its women and its youth")
		teams[0].Logo = ""
		require.Equal(t, want, teams[0])
	}
	leagues, err := f.Leagues(t.Context(), "Premier League")
	require.NoError(t, err)
	var countries []string
	for _, l := range leagues {
		require.Equal(t, "Premier League", l.Name)
		countries = append(countries, l.Country)
	}
	require.Equal(t, []string{"England", "Russia", "Egypt"}, countries)
	none, err := f.Teams(t.Context(), "nobody at all")
	require.NoError(t, err)
	require.Empty(t, none)
	_, err = f.Teams(t.Context(), "a/é-b")
	require.Equal(t, footy.CodeInvalid, footy.CodeOf(err))
}

// TestNobodyFoundAndCouldNotLookAreTwoThings for a search by name, too.
func TestNobodyFoundAndCouldNotLookAreTwoThings(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]footy.Code{
		`{"get":"teams","errors":[],"results":0,"response":[]}`:                                           "",
		`{"get":"teams","errors":{},"results":0,"response":{}}`:                                           "",
		`{"get":"teams","errors":{"token":"Error/Missing application key."},"response":[]}`:               footy.CodeAuthRequired,
		`{"get":"teams","errors":{"requests":"You have reached the request limit for the day"}}`:          footy.CodeRateLimited,
		`{"get":"teams","errors":{"search":"The Search field must be at least 3 characters in length."}}`: footy.CodeInvalid,
		`{"get":"teams","errors":[],"response":"x"}`:                                                      footy.CodeUnavailable,
		`<html>`: footy.CodeUnavailable,
	} {
		f := at(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, body) }))
		_, err := f.Leagues(t.Context(), "Serie A")
		require.Equal(t, want, footy.CodeOf(err), body)
	}
}
