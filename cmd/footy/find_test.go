package main

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/feed/follow"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/config"
)

func TestWhoSearchesMayHaveTheSettingStillWrong(t *testing.T) {
	t.Parallel()
	_, err := config.Parse(map[string]string{"TRACK_LEAGUES": "none"})
	require.Error(t, err)
	require.NoError(t, withoutTrack(err))
	_, err = config.Parse(map[string]string{"TRACK_LEAGUES": "none", "API_FOOTBALL_URL": "nowhere"})
	require.ErrorContains(t, withoutTrack(err), "API_FOOTBALL_URL")
	require.NotContains(t, withoutTrack(err).Error(), "TRACK_LEAGUES")
	require.NoError(t, withoutTrack(nil))
}

func TestWhatIsFoundIsPrintedWithIDNameAndCountry(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	both := []lifecycle.Followed{{ID: 42, Name: "Arsenal", Country: "England"}, {ID: 10042, Name: "Arsenal W", Country: "England"}}
	require.NoError(t, printFound(&out, follow.Found{List: both}, "team", "arsenal"))
	require.Equal(t, "42     Arsenal    England\n10042  Arsenal W  England\n", out.String())
	require.ErrorContains(t, printFound(&out, follow.Found{}, "league", "nowhere"), `the feed knows no league by "nowhere"`)
	out.Reset()
	require.ErrorContains(t, printFound(&out, follow.Found{List: both[:1], Near: true}, "team", "arsenall"), `the feed knows no team by "arsenall"; names near to it are listed above`)
	require.Equal(t, "42  Arsenal  England\n", out.String())
}

func TestWhatTheFeedRefusesIsSaidWithWhatToDo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"a wrong key":     {footy.Errorf(footy.CodeAuthRequired, "ask feed", "token: Error/Missing application key."), "ask feed: token: Error/Missing application key.; check API_FOOTBALL_KEY, and your account at api-football.com"},
		"a spent minute":  {footy.Errorf(footy.CodeRateLimited, "ask feed", "the plan's calls of this minute are used up"), "ask feed: the plan's calls of this minute are used up; try again in a minute"},
		"a spent day":     {footy.Wrap(footy.CodeRateLimited, "ask feed", feed.ErrDaySpent), "ask feed: the day's calls are used up; they come back at 00:00 UTC"},
		"a wrong address": {footy.Errorf(footy.CodeUnavailable, "ask feed", "HTTP 404: %w", feed.ErrWrongAddress), "ask feed: HTTP 404: that is not API-Football; correct API_FOOTBALL_URL; where it is not set, API-Football itself is asked"},
		"no answer":       {footy.Errorf(footy.CodeUnavailable, "ask feed", "%w", context.DeadlineExceeded), "ask feed: context deadline exceeded; correct API_FOOTBALL_URL if it is set, or try again in a minute"},
		"their trouble":   {footy.Errorf(footy.CodeUnavailable, "ask feed", "HTTP 502"), "ask feed: HTTP 502; the vendor has a trouble of its own: try again in a minute"},
		"a short name":    {footy.Errorf(footy.CodeInvalid, "", "write more of the name"), "write more of the name"},
	} {
		require.Equal(t, c.want, footy.UserMessage(withRemedy(c.err, config.Feed{Key: "k"})), name)
	}
}

func TestNothingToSearchForIsSaidInWords(t *testing.T) {
	t.Parallel()
	for _, words := range [][]string{{""}, {" ", ""}} {
		require.EqualError(t, teamsSearchCmd{Name: words}.Run(t.Context()),
			"invalid: no name to search for: write three letters of it at least, like footy teams search arsenal")
	}
}
