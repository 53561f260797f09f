package follow_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/feed/apifootball"
	"github.com/found-footy/found-footy/internal/connect/feed/follow"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/world/day"
	"github.com/found-footy/found-footy/internal/world/script"
	"github.com/found-footy/found-footy/internal/world/serve/football"
)

// bundle is the simulated vendor with a count of its calls, and a memory.
type bundle struct {
	calls  atomic.Int64
	down   atomic.Bool
	vendor *apifootball.Feed
	kept   map[string]json.RawMessage
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{kept: map[string]json.RawMessage{}}
	h := football.New(script.Default(), day.StartedAt(time.Now(), 1))
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.calls.Add(1)
		if b.down.Load() {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	b.vendor = apifootball.New(apifootball.Options{BaseURL: srv.URL, Key: "k"}, httpx.New(httpx.Options{}))
	return b
}

func (b *bundle) State(_ context.Context, key string, out any) error {
	raw, ok := b.kept[key]
	if !ok {
		return footy.Errorf(footy.CodeNotFound, "read state", "nothing")
	}
	return json.Unmarshal(raw, out)
}

func (b *bundle) PutState(_ context.Context, key string, value any) (err error) {
	b.kept[key], err = json.Marshal(value)
	return err
}

// asked is a start with these settings.
func (b *bundle) asked(leagues, teams []string) *follow.Following {
	return follow.New(follow.Options{Leagues: leagues, Teams: teams, Finder: b.vendor, State: b})
}

func TestOnlyMyClub(t *testing.T) {
	t.Parallel()
	b := setup(t)
	only, err := b.asked([]string{"none"}, []string{"arsenal"}).Follow(t.Context())
	require.NoError(t, err)
	require.Equal(t, lifecycle.Follow{Teams: []int64{42}}, only)
	match := func(league, home int64) footy.Snapshot {
		return footy.Snapshot{League: footy.League{ID: league}, Teams: footy.Teams{Home: footy.Team{ID: home}, Away: footy.Team{ID: 1}}}
	}
	require.True(t, lifecycle.Tracked(match(48, 42), only), "in any competition")
	require.False(t, lifecycle.Tracked(match(39, 40), only), "nobody else, also in its league")
}

func TestIdsCostNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.asked([]string{"39", " 140"}, []string{"42"})
	require.False(t, f.NeedsNames())
	got, err := f.Follow(t.Context())
	require.NoError(t, err)
	require.Equal(t, lifecycle.Follow{Leagues: []int64{39, 140}, Teams: []int64{42}}, got)
	require.Zero(t, b.calls.Load())
}

func TestANameCostsOneCallForGood(t *testing.T) {
	t.Parallel()
	b := setup(t)
	leagues, teams := []string{"England/Premier League", "la liga", "78"}, []string{"Arsenal", "Bayern Munchen"}
	first := b.asked(leagues, teams)
	choice, err := first.Choice(t.Context())
	require.NoError(t, err)
	require.Equal(t, follow.Choice{Leagues: []lifecycle.Followed{{ID: 39, Name: "Premier League", Country: "England"}, {ID: 140, Name: "La Liga", Country: "Spain"},
		{ID: 78, Name: "Bundesliga", Country: "Germany"}}, Teams: []lifecycle.Followed{{ID: 42, Name: "Arsenal", Country: "England"}, {ID: 157, Name: "Bayern München", Country: "Germany"}}}, choice)
	require.EqualValues(t, 4, b.calls.Load())
	_, err = first.Choice(t.Context())
	require.NoError(t, err)

	b.down.Store(true)
	again, err := b.asked(leagues, teams).Choice(t.Context())
	require.NoError(t, err, "the last answer serves where the vendor cannot be asked")
	require.Equal(t, choice, again)
	require.EqualValues(t, 4, b.calls.Load(), "and a start costs nothing twice")
}

func TestANameNobodyHasOrSeveralIsAnErrorWithTheRemedy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		leagues, teams []string
		want           string
	}{
		{[]string{"Premier League"}, nil, `invalid: TRACK_LEAGUES="Premier League" is the name of 3 leagues, England/Premier League (39), Russia/Premier League (235), Egypt/Premier League (233): write one of these with its country, or its id`},
		{[]string{"none"}, []string{"Bayern"}, `invalid: TRACK_TEAMS="Bayern" is the name of no team; near it are Germany/Bayern München (157), Germany/Bayern München W (10157), Germany/Bayern München U21 (20157): write one of these names, or its id (footy teams search NAME lists more)`},
		{nil, []string{"Arsenall"}, `invalid: TRACK_TEAMS="Arsenall" is the name of no team; near it are England/Arsenal (42), England/Arsenal W (10042), England/Arsenal U21 (20042): write one of these names, or its id (footy teams search NAME lists more)`},
		{nil, []string{"Wanderers of Nowhere"}, `invalid: TRACK_TEAMS="Wanderers of Nowhere" is the name of no team: look it up with footy teams search NAME, or write its id`},
		{[]string{"Scotland/Premier League"}, []string{"X!"}, `invalid: TRACK_LEAGUES="Scotland/Premier League" is the name of no league; near it are England/Premier League (39), Russia/Premier League (235), Egypt/Premier League (233): write one of these names, or its id (footy leagues search NAME lists more); TRACK_TEAMS="X!" has no three letters in a row: write the team's whole name or its id (footy teams search NAME lists both)`},
	} {
		_, err := setup(t).asked(c.leagues, c.teams).Follow(t.Context())
		require.EqualError(t, err, c.want)
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(err))
	}
}

// TestWhatCannotBeLookedUpIsNoEmptyFollowing, and is tried again.
func TestWhatCannotBeLookedUpIsNoEmptyFollowing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.down.Store(true)
	f := b.asked([]string{"none"}, []string{"40", "Arsenal"})
	_, err := f.Follow(t.Context())
	require.ErrorContains(t, err, `TRACK_TEAMS="Arsenal" cannot be looked up`)
	require.Equal(t, footy.CodeAuthRequired, footy.CodeOf(err), "why is the vendor's word")
	b.down.Store(false)
	got, err := f.Follow(t.Context())
	require.NoError(t, err)
	require.Equal(t, []int64{40, 42}, got.Teams)
}

// TestAnIdIsLookedUpOnceAndDoubtedOnlyByAnAnswer: the name of an id is kept; one that nobody has is told each time, not while the feed is away.
func TestAnIdIsLookedUpOnceAndDoubtedOnlyByAnAnswer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asks := func() (follow.Choice, []follow.Unknown) {
		t.Helper()
		c, unknown, err := b.asked([]string{"none"}, []string{"42", "99999"}).Known(t.Context())
		require.NoError(t, err)
		return c, unknown
	}
	nobody := []follow.Unknown{{Setting: "TRACK_TEAMS", ID: 99999, Why: "no team 99999 is known to the feed"}}
	c, unknown := asks()
	require.Equal(t, nobody, unknown)
	require.Equal(t, []lifecycle.Followed{{ID: 42, Name: "Arsenal", Country: "England"}, {ID: 99999}}, c.Teams)
	require.EqualValues(t, 2, b.calls.Load())

	_, unknown = asks()
	require.Equal(t, nobody, unknown, "it is as unknown as before")
	require.EqualValues(t, 3, b.calls.Load(), "the id that has a name is not asked about again")

	b.down.Store(true)
	c, unknown = asks()
	require.Empty(t, unknown, "nobody could be asked")
	require.Equal(t, "Arsenal", c.Teams[0].Name)
}

func TestSearchingTakesWhatSettingsTake(t *testing.T) {
	t.Parallel()
	b := setup(t)
	names := func(f follow.Found, err error) (out []string) {
		require.NoError(t, err)
		for _, l := range f.List {
			out = append(out, l.Country+"/"+l.Name)
		}
		return out
	}
	require.Equal(t, []string{"England/Premier League"}, names(follow.Search(t.Context(), b.vendor, feed.League, "England/Premier League")))
	require.Equal(t, []string{"England/Premier League", "Russia/Premier League", "Egypt/Premier League"}, names(follow.Search(t.Context(), b.vendor, feed.League, "premier")))
	require.Equal(t, []string{"Italy/Serie A"}, names(follow.Search(t.Context(), b.vendor, feed.League, "Italy/Serie A")), "the country is longer than the name's longest word")
	require.Equal(t, []string{"England/Arsenal", "England/Arsenal W", "England/Arsenal U21"}, names(follow.Search(t.Context(), b.vendor, feed.Team, "England/Arsenal")))
	near, err := follow.Search(t.Context(), b.vendor, feed.Team, "Arsenall")
	require.Equal(t, []string{"England/Arsenal", "England/Arsenal W", "England/Arsenal U21"}, names(near, err))
	require.True(t, near.Near)
	_, err = follow.Search(t.Context(), b.vendor, feed.Team, "ab")
	require.EqualError(t, err, `invalid: the feed searches for three letters or digits in a row at least, and "ab" has not so many; write more of the name: footy teams search arsenal`)
}

func TestOtherSettingsNameTeamsTheSameWay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	of := func(teams ...string) (lifecycle.Follow, error) {
		return follow.New(follow.Options{Prefix: "NOTIFICATION", Teams: teams, Finder: b.vendor, State: b}).Follow(t.Context())
	}
	got, err := of("Arsenal", "40")
	require.NoError(t, err)
	require.Equal(t, []int64{42, 40}, got.Teams)
	_, err = of("Arsenall")
	require.ErrorContains(t, err, `NOTIFICATION_TEAMS="Arsenall" is the name of no team; near it are England/Arsenal (42)`)
}

func TestIdsThatTheFeedDoesNotKnowAreDoubted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	choice, unknown, err := b.asked([]string{"39", "88888"}, []string{"42", "99999"}).Known(t.Context())
	require.NoError(t, err)
	require.Len(t, unknown, 2)
	require.Equal(t, "TRACK_LEAGUES=88888: no league 88888 is known to the feed", unknown[0].String())
	require.Equal(t, "TRACK_TEAMS=99999: no team 99999 is known to the feed", unknown[1].String())
	require.Equal(t, "Arsenal", choice.Teams[0].Name)
	require.EqualValues(t, 3, b.calls.Load(), "of the default leagues the names are known")
	b.down.Store(true)
	_, unknown, err = b.asked([]string{"39"}, []string{"99999"}).Known(t.Context())
	require.NoError(t, err)
	require.Empty(t, unknown, "could not look is no doubt")
}

// TestAnAddressThatIsNotTheVendorsIsNoShortName: not every refusal of a search is the name's fault.
func TestAnAddressThatIsNotTheVendorsIsNoShortName(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(srv.Close)
	nowhere := apifootball.New(apifootball.Options{BaseURL: srv.URL + "/nonsense", Key: "k"}, httpx.New(httpx.Options{}))
	_, err := follow.New(follow.Options{Leagues: []string{"none"}, Teams: []string{"Arsenal"}, Finder: nowhere}).Follow(t.Context())
	_, teams := follow.Search(t.Context(), nowhere, feed.Team, "Arsenal")
	_, leagues := follow.Search(t.Context(), nowhere, feed.League, "Premier")
	for _, err := range []error{err, teams, leagues} {
		require.ErrorIs(t, err, feed.ErrWrongAddress)
		require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
		require.ErrorContains(t, err, "API_FOOTBALL_URL="+srv.URL+"/nonsense answers with HTTP 404")
		require.NotContains(t, err.Error(), "three letters")
	}
	_, err = follow.Search(t.Context(), nowhere, feed.League, "ab")
	require.ErrorContains(t, err, "footy leagues search premier league")
}

// other is a feed that knows the same names by other ids.
type other struct{ feed.Finder }

func (other) Find(context.Context, feed.What, string) ([]feed.Found, error) {
	return []feed.Found{{ID: 7000, Name: "La Liga", Country: "Spain"}}, nil
}

// TestNamesAreRememberedForEachFeedApart: the ids of one feed are no ids of the other.
func TestNamesAreRememberedForEachFeedApart(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ids := func(name string, finder feed.Finder) []int64 {
		f, err := follow.New(follow.Options{Leagues: []string{"Spain/La Liga"}, Finder: finder, State: b, Feed: name}).Follow(t.Context())
		require.NoError(t, err)
		return f.Leagues
	}
	require.Equal(t, []int64{7000}, ids("espn", other{}))
	require.Equal(t, []int64{140}, ids("", b.vendor))
	require.Equal(t, []int64{7000}, ids("espn", other{}))
}
