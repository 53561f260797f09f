package apifootball_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/feed/apifootball"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/world/day"
	"github.com/found-footy/found-footy/internal/world/script"
	"github.com/found-footy/found-footy/internal/world/serve/football"
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
	for asked, want := range map[string]feed.Found{"Arsenal": {ID: 42, Name: "Arsenal", Country: "England"}, "bayern münchen": {ID: 157, Name: "Bayern München", Country: "Germany"},
		"B.-München": {ID: 157, Name: "Bayern München", Country: "Germany"}} { // only a stretch of it can be asked for
		teams, err := f.Find(t.Context(), feed.Team, asked)
		require.NoError(t, err, asked)
		require.Len(t, teams, 3, "with its women and its youth")
		teams[0].Logo = ""
		require.Equal(t, want, teams[0])
	}
	leagues, err := f.Find(t.Context(), feed.League, "Premier League")
	require.NoError(t, err)
	var countries []string
	for _, l := range leagues {
		require.Equal(t, "Premier League", l.Name)
		countries = append(countries, l.Country)
	}
	require.Equal(t, []string{"England", "Russia", "Egypt"}, countries)
	none, err := f.Find(t.Context(), feed.Team, "nobody at all")
	require.NoError(t, err)
	require.Empty(t, none)
	_, err = f.Find(t.Context(), feed.Team, "a/é-b")
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
		_, err := f.Find(t.Context(), feed.League, "Serie A")
		require.Equal(t, want, footy.CodeOf(err), body)
	}
}

// TestWhatIsNoAnswerNamesSettingAndAddress: a person reads it who has just set them.
func TestWhatIsNoAnswerNamesSettingAndAddress(t *testing.T) {
	t.Parallel()
	answers := func(status int, body string) *httptest.Server {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = fmt.Fprint(w, body)
		}))
		t.Cleanup(srv.Close)
		return srv
	}
	gone := answers(http.StatusOK, "")
	gone.Close()
	gate := make(chan struct{})
	hangs := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-gate }))
	t.Cleanup(hangs.Close)
	t.Cleanup(func() { close(gate) })
	for name, c := range map[string]struct {
		srv   *httptest.Server
		says  string
		code  footy.Code
		wrong bool
	}{
		"a path that is not there": {answers(http.StatusNotFound, "404 page not found"), " answers with HTTP 404: that is not API-Football", footy.CodeUnavailable, true},
		"a web page":               {answers(http.StatusOK, "\n<!doctype html>"), " answers with a web page: that is not API-Football", footy.CodeUnavailable, true},
		"something else":           {answers(http.StatusOK, "hello"), " answers with something that is not JSON: that is not API-Football", footy.CodeUnavailable, true},
		"refused":                  {answers(http.StatusForbidden, "no"), " answers with HTTP 403", footy.CodeAuthRequired, false},
		"out of order":             {answers(http.StatusBadGateway, "<html>"), " answers with HTTP 502", footy.CodeUnavailable, false},
		"nobody there":             {gone, " gave no answer: nothing listens at that address", footy.CodeUnavailable, false},
		"silence":                  {hangs, ": it took too long, no answer within ", footy.CodeUnavailable, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limit := 30 * time.Second
			if name == "silence" {
				limit = 100 * time.Millisecond
			}
			f := apifootball.New(apifootball.Options{BaseURL: c.srv.URL, Key: "k", Timeout: limit}, httpx.New(httpx.Options{}))
			for _, ask := range []func() error{
				func() error { _, err := f.Find(t.Context(), feed.Team, "Arsenal"); return err },
				func() error { _, err := f.Account(t.Context()); return err },
				func() error { _, err := f.ByIDs(t.Context(), []int64{1}); return err },
			} {
				err := ask()
				require.ErrorContains(t, err, "API_FOOTBALL_URL="+c.srv.URL+c.says)
				require.Equal(t, c.code, footy.CodeOf(err))
				require.Equal(t, c.wrong, errors.Is(err, feed.ErrWrongAddress))
				require.NotErrorIs(t, err, feed.ErrShortName)
			}
		})
	}
}
