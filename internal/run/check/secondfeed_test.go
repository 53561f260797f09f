package check_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/stretchr/testify/require"
)

func withSecond(t *testing.T, board string) (config.Config, *app.App) {
	t.Helper()
	c := parsed(t, map[string]string{"API_FOOTBALL_KEY": "0123456789abcdef0123456789abcdef", "API_FOOTBALL_URL": vendor(t, 7500, 8), "SECOND_FEED": "espn", "ESPN_URL": board})
	return c, opened(t, c)
}

// TestHealthTellsWhatTheSecondFeedHas of the matches under way, and what it has not apart from what could not be asked.
func TestHealthTellsWhatTheSecondFeedHas(t *testing.T) {
	t.Parallel()
	c, a := withSecond(t, "http://127.0.0.1:1")
	look := func() health.Part {
		all := check.New(check.Options{Config: c, Store: a.Store, Blob: a.Blob, Feed: a.Feed, Second: a.Second, Source: a.Source})
		return part(all.Look(t.Context()), health.SecondFeed)
	}
	p := look()
	require.False(t, p.Unasked, "between matches all works: the banner must not say that a part was never asked")
	require.Equal(t, "ESPN is asked while a match is under way", p.Reason)
	says := func(id int64, s footy.SecondAnswer) {
		s.Feed = "ESPN"
		m := footy.Match{ID: id, Kickoff: time.Now()}
		if _, err := a.Store.Fixture(t.Context(), id); footy.IsNotFound(err) {
			require.NoError(t, a.Store.Add(t.Context(), footy.Fixture{ID: id, Stage: footy.StageActive, Match: m}))
		}
		require.NoError(t, a.Store.PutSnapshots(t.Context(), "p", []footy.Snapshot{{Match: m, SecondFeed: &s}}))
	}
	says(1, footy.SecondAnswer{State: footy.SecondAnswered})
	says(2, footy.SecondAnswer{State: footy.SecondNoMatch})
	p = look()
	require.Equal(t, health.StateOK, p.State, "a match that it does not have is no fault")
	require.Equal(t, "ESPN has 1 of 2 matches, 1 not found there", p.Reason)
	says(1, footy.SecondAnswer{State: footy.SecondUnreachable, Why: "ESPN answers with HTTP 502"})
	p = look()
	require.Equal(t, health.StateDegraded, p.State)
	require.Equal(t, "ESPN has 0 of 2 matches, 1 not found there, 1 could not be asked about: ESPN answers with HTTP 502", p.Reason)
	require.Contains(t, p.Remedy, "Nothing is lost")

	c, a = withSecond(t, "http://127.0.0.1:1")
	none := check.New(check.Options{Config: c, Store: a.Store, Blob: a.Blob, Feed: a.Feed, Source: a.Source})
	require.Empty(t, part(none.Look(t.Context()), health.SecondFeed).Name, "none is set up")
}

func TestDoctorAsksTheSecondFeed(t *testing.T) {
	t.Parallel()
	up := true
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if !up {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		fmt.Fprint(w, `{"leagues":[],"events":[]}`)
	}))
	t.Cleanup(srv.Close)
	find := func() check.Finding {
		c, a := withSecond(t, srv.URL)
		require.NoError(t, a.Close())
		for _, f := range app.Doctor(t.Context(), c, "test") {
			if f.Name == health.SecondFeed {
				return f
			}
		}
		return check.Finding{}
	}
	f := find()
	require.Equal(t, health.StateOK, f.State)
	require.Equal(t, srv.URL+", beside api-football: unofficial, it may change or end any day", f.Reason)
	up = false
	f = find()
	require.Equal(t, health.StateDegraded, f.State)
	require.False(t, f.Required)
	require.Contains(t, f.Reason, "HTTP 502")
	require.Contains(t, f.Remedy, "Nothing is lost")
}
