package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/feed/apifootball"
	"github.com/found-footy/found-footy/internal/connect/feed/feedtest"
	"github.com/found-footy/found-footy/internal/connect/feed/follow"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/policy/enginetest"
	"github.com/found-footy/found-footy/internal/world"
	"github.com/found-footy/found-footy/internal/world/script"
)

func last(t *testing.T, a *ingest.Activities) ingest.LastIngest {
	t.Helper()
	var l ingest.LastIngest
	require.NoError(t, a.Store.State(t.Context(), ingest.StateKey, &l))
	return l
}

func TestWhatIsMissingOfTodaysListIsKeptUntilItIsThere(t *testing.T) {
	t.Parallel()
	a, l, now := setup(t)
	first := *now
	l.err = footy.Errorf(footy.CodeUnavailable, "ask feed", "HTTP 503")
	_, err := a.StoreDay(t.Context(), *now)
	require.Error(t, err)
	*now = now.Add(time.Hour)
	l.err = footy.Errorf(footy.CodeRateLimited, "ask feed", "requests: You have reached the request limit for the day")
	_, err = a.StoreDay(t.Context(), *now)
	require.Error(t, err)
	is := last(t, a)
	require.True(t, is.Since.Equal(first))
	require.True(t, is.Tried.Equal(*now))
	require.Equal(t, footy.CodeRateLimited, is.Code)
	require.Contains(t, is.Why, "request limit")
	_, err = a.StoreDay(t.Context(), now.AddDate(0, 0, 1))
	require.Error(t, err)
	require.Equal(t, is, last(t, a), "another day's failure is nothing to ask again for within the hour")

	l.err = nil
	_, err = a.StoreDay(t.Context(), *now)
	require.NoError(t, err)
	_, err = a.StoreDay(t.Context(), now.AddDate(0, 0, 1))
	require.NoError(t, err)
	day, next := now.Format(time.DateOnly), now.AddDate(0, 0, 1).Format(time.DateOnly)
	require.Equal(t, ingest.LastIngest{Date: day, At: *now, Until: next, Followed: lifecycle.Follow{}.String()}, last(t, a))

	*now = now.AddDate(0, 0, 1)
	l.err = errors.New("broken")
	_, err = a.StoreDay(t.Context(), *now)
	require.Error(t, err)
	require.True(t, last(t, a).Since.Equal(*now), "each day has a beginning of its own")
}

// TestWhatDoesNotAnswerIsToldFromARefusal: the one is tried again soon, the other in an hour.
func TestWhatDoesNotAnswerIsToldFromARefusal(t *testing.T) {
	t.Parallel()
	noRoute := &net.OpError{Op: "dial", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1)}, Err: syscall.ENETUNREACH}
	for name, c := range map[string]struct {
		err                error
		unreached, offline bool
	}{
		"offline":                                {httpx.Fault("ask feed", fmt.Errorf("Get: %w", noRoute)), true, true},
		"silent":                                 {httpx.Fault("ask feed", io.EOF), true, false},
		"an error of a server whose plan counts": {footy.Errorf(footy.CodeUnavailable, "ask feed", "HTTP 503"), false, false},
		"refused":                                {footy.Errorf(footy.CodeAuthRequired, "ask feed", "HTTP 403"), false, false},
	} {
		a, l, now := setup(t)
		l.err = c.err
		got, err := a.StoreDay(t.Context(), *now)
		require.Equal(t, c.offline, got.Offline, name)
		require.Equal(t, c.offline, err == nil, "a second try finds no network either")
		is := last(t, a)
		require.Equal(t, c.unreached, is.Unreached, name)
		require.Equal(t, c.offline, is.Offline, name)
	}
}

// TestOneDateWithoutAListInTheWorld goes the whole way to a vendor that fails for one date.
func TestOneDateWithoutAListInTheWorld(t *testing.T) {
	t.Parallel()
	today := 0
	a := inWorld(t, script.Mode{Mode: script.ListDown, Day: &today})
	_, err := a.StoreDay(t.Context(), time.Now())
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
	require.Contains(t, last(t, a).Why, "HTTP 500")
	got, err := a.StoreDay(t.Context(), time.Now().AddDate(0, 0, 1))
	require.NoError(t, err)
	require.False(t, got.Beyond, "it was listed, with what is followed of it")
}

// TestAFreeKeysDaysEndTomorrow: what its plan does not list is noted, and nothing has failed.
func TestAFreeKeysDaysEndTomorrow(t *testing.T) {
	t.Parallel()
	a := inWorld(t, script.Mode{Mode: "free_plan"})
	env := enginetest.Activity()
	env.RegisterActivity(a)
	for day := range 3 {
		out, err := env.ExecuteActivity(a.StoreDay, time.Now().AddDate(0, 0, day))
		require.NoError(t, err)
		var got ingest.Stored
		require.NoError(t, out.Get(&got))
		require.Equal(t, day == 2, got.Beyond)
	}
	is := last(t, a)
	require.Equal(t, time.Now().UTC().AddDate(0, 0, 1).Format(time.DateOnly), is.Until)
	require.Equal(t, time.Now().UTC().AddDate(0, 0, 2).Format(time.DateOnly), is.Beyond)
	require.Zero(t, is.Since)
}

// TestTodaysListTellsWhatIsFollowedInNames, and which ids the feed does not know: without them the page would stay empty in silence.
func TestTodaysListTellsWhatIsFollowedInNames(t *testing.T) {
	t.Parallel()
	a, _, now := setup(t)
	choice := follow.Choice{Teams: []lifecycle.Followed{{ID: 42, Name: "Arsenal", Country: "England"}, {ID: 99999}}}
	nobody := []follow.Unknown{{Setting: "TRACK_TEAMS", ID: 99999, Why: "no team 99999 is known to the feed"}}
	var failure error
	a.Known = func(context.Context) (follow.Choice, []follow.Unknown, error) { return choice, nobody, failure }
	env := enginetest.Activity()
	env.RegisterActivity(a)
	list := func(day time.Time) {
		t.Helper()
		_, err := env.ExecuteActivity(a.StoreDay, day)
		require.NoError(t, err)
	}
	list(*now)
	require.Equal(t, choice, last(t, a).Choice)
	require.Equal(t, nobody, last(t, a).Unknown)
	list(now.AddDate(0, 0, 1))
	require.Equal(t, nobody, last(t, a).Unknown, "another day's list asks nothing and takes nothing away")

	nobody = nil
	list(*now)
	require.Empty(t, last(t, a).Unknown, "it was corrected")
	failure = errors.New("the state cannot be read")
	list(*now)
	require.Equal(t, now.Format(time.DateOnly), last(t, a).Date, "a list is good without names")
}

func TestOnlyTheMatchesOfOneClubAreStored(t *testing.T) {
	t.Parallel()
	a := inWorld(t)
	a.Follow = func(context.Context) (lifecycle.Follow, error) { return lifecycle.Follow{Teams: []int64{42}}, nil }
	for _, day := range []int{-1, 0} { // soon after midnight the club's match, which is under way, is yesterday's
		_, err := a.StoreDay(t.Context(), time.Now().AddDate(0, 0, day))
		require.NoError(t, err)
	}
	list, err := a.Store.List(t.Context(), store.FixtureQuery{})
	require.NoError(t, err)
	require.NotEmpty(t, list)
	for _, f := range list {
		require.NotEmpty(t, f.Teams.Side(42), "%s - %s", f.Teams.Home.Name, f.Teams.Away.Name)
	}
}

// TestAChangeOfWhatIsFollowedDropsWhatWaits: each match that waits is asked about four times an hour until its end.
func TestAChangeOfWhatIsFollowedDropsWhatWaits(t *testing.T) {
	t.Parallel()
	a, l, now := setup(t)
	follow := lifecycle.Follow{Leagues: []int64{39}}
	a.Follow = func(context.Context) (lifecycle.Follow, error) { return follow, nil }
	for id := range int64(4) {
		s := feedtest.Match(id+1, 0)
		s.Match.Status, s.Match.Kickoff, s.League.ID, s.Score = footy.Status{Code: "NS"}, kickoff.AddDate(0, 0, 1), 39, footy.Score{}
		s.Teams.Home.ID = 100 + id
		l.today = append(l.today, s)
	}
	l.today[3].Match.Status.Code = "1H"
	there := func() (ids []int64) {
		list, err := a.Store.List(t.Context(), store.FixtureQuery{})
		require.NoError(t, err)
		for _, f := range list {
			ids = append(ids, f.ID)
		}
		return ids
	}
	for range 2 {
		_, err := a.StoreDay(t.Context(), *now)
		require.NoError(t, err)
		require.Equal(t, []int64{1, 2, 3, 4}, there())
	}
	_, err := a.FetchByIDs(t.Context(), []int64{2})
	require.NoError(t, err)
	follow = lifecycle.Follow{Teams: []int64{102}}
	_, err = a.StoreDay(t.Context(), now.AddDate(0, 0, 1))
	require.NoError(t, err)
	require.Equal(t, []int64{1, 2, 3, 4}, there(), "today's list decides")
	_, err = a.StoreDay(t.Context(), *now)
	require.NoError(t, err)
	require.Equal(t, []int64{2, 3, 4}, there(), "named, followed, under way")
	require.Equal(t, follow.String(), last(t, a).Followed)
}

func TestWithoutKnowingWhatIsFollowedNothingIsStored(t *testing.T) {
	t.Parallel()
	a, l, now := setup(t)
	l.today = []footy.Snapshot{feedtest.Match(1, 0)}
	a.Follow = func(context.Context) (lifecycle.Follow, error) {
		return lifecycle.Follow{}, footy.Errorf(footy.CodeUnavailable, `TRACK_TEAMS="Arsenal" cannot be looked up`, "HTTP 503")
	}
	_, err := a.StoreDay(t.Context(), *now)
	require.Error(t, err)
	require.Contains(t, last(t, a).Why, `TRACK_TEAMS="Arsenal" cannot be looked up`, "red on Health, and asked again within the hour")
}

// inWorld has the feed of a simulated day with these manners.
func inWorld(t *testing.T, modes ...script.Mode) *ingest.Activities {
	t.Helper()
	s := script.Default()
	s.Modes = modes
	w, err := world.New(world.Options{Script: s, ClipDir: t.TempDir()})
	require.NoError(t, err)
	require.NoError(t, w.Start(t.Context()))
	t.Cleanup(func() { _ = w.Close() })
	a, _, _ := setup(t)
	a.Now = time.Now
	a.Feed = apifootball.New(apifootball.Options{BaseURL: w.URL() + "/football", Key: "k", Timeout: 2 * time.Second}, httpx.New(httpx.Options{}))
	return a
}
