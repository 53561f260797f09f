package check_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/app"
	"github.com/found-footy/found-footy/internal/config"
	"github.com/found-footy/found-footy/internal/feed"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/health"
	"github.com/found-footy/found-footy/internal/health/check"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/rule/calls"
	"github.com/found-footy/found-footy/internal/rule/lifecycle"
	"github.com/found-footy/found-footy/internal/store"
	"github.com/found-footy/found-footy/internal/store/sqlite"
	"github.com/stretchr/testify/require"
)

// vendor is API-Football with a plan and a day of matches, a few of which are followed.
func vendor(t *testing.T, limit, followed int) string {
	t.Helper()
	kickoff := time.Now().UTC().Truncate(24 * time.Hour).Add(15 * time.Hour).Format(time.RFC3339)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/status" {
			fmt.Fprintf(w, `{"errors":[],"response":{"subscription":{"plan":"Free"},"requests":{"current":3,"limit_day":%d}}}`, limit)
			return
		}
		var list []string
		for i := range followed + 50 {
			league := 39
			if i >= followed {
				league = 5000
			}
			events := `,"events":[]`
			if r.URL.Query().Has("date") {
				events = ""
			}
			list = append(list, fmt.Sprintf(`{"fixture":{"id":%d,"date":%q,"status":{"short":"NS"}},"league":{"id":%d},"teams":{"home":{"id":1},"away":{"id":2}}%s}`, i+1, kickoff, league, events))
		}
		fmt.Fprintf(w, `{"errors":[],"response":[%s]}`, strings.Join(list, ","))
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

func findings(t *testing.T, url string, prepare func(store.Store)) map[string]check.Finding {
	t.Helper()
	c, err := config.Load()
	require.NoError(t, err)
	c.Feed = config.Feed{Key: "0123456789abcdef0123456789abcdef", URL: url}
	c.State = config.State{Dir: t.TempDir()}
	c.Web.Addr = "127.0.0.1:0"
	if prepare != nil {
		db, err := sqlite.Open(filepath.Join(c.State.Dir, "footy.db"), sqlite.Options{})
		require.NoError(t, err)
		s := store.New(db, store.Options{})
		prepare(s)
		require.NoError(t, s.Close())
	}
	out := map[string]check.Finding{}
	for _, f := range app.Doctor(t.Context(), c, "test") {
		out[f.Name] = f
	}
	return out
}

func TestDoctorComparesADaysCallsToThePlan(t *testing.T) {
	t.Parallel()
	f := findings(t, vendor(t, 7500, 8), nil)["feed plan"]
	require.Equal(t, health.StateOK, f.State, f.Reason)
	require.Contains(t, f.Reason, "plan Free: 3 of 7500 calls used today")
	require.Contains(t, f.Reason, "8 matches")
	require.Contains(t, f.Reason, "cost about 392 a day", "58 slots of waiting, 11 slots of 30 polls, four lists")
	f = findings(t, vendor(t, 100, 8), nil)["feed plan"]
	require.Equal(t, health.StateDegraded, f.State)
	require.Contains(t, f.Remedy, "TRACK_LEAGUES")
}

func TestDoctorTriesAPollAndNamesThePaceOfAFreeKey(t *testing.T) {
	t.Parallel()
	next := vendor(t, 100, 8)
	var asked []string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.RequestURI())
		w.Header().Set("X-RateLimit-Limit", "10")
		if r.URL.Query().Has("ids") {
			fmt.Fprint(w, `{"errors":{"plan":"Free plans do not have access to the Ids parameter."},"results":0,"response":[]}`)
			return
		}
		req, _ := http.NewRequestWithContext(r.Context(), http.MethodGet, next+r.URL.RequestURI(), nil)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer res.Body.Close()
		_, _ = io.Copy(w, res.Body)
	}))
	t.Cleanup(srv.Close)
	f := findings(t, srv.URL, nil)["feed plan"]
	require.Equal(t, health.StateOK, f.State, "that is how such a plan works")
	require.Contains(t, f.Reason, "plan Free: 3 of 100 calls used today; a poll works")
	require.Contains(t, f.Reason, "all live matches in one call, others one by one: the plan does not allow several by id")
	require.Regexp(t, `A free key: each live match is looked at every \d min( \d\d s)?; `, f.Reason)
	require.Len(t, asked, 4, "%v", asked)
}

func TestDoctorNamesABadKey(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"errors":{"token":"Error/Missing application key."},"response":[]}`)
	}))
	t.Cleanup(srv.Close)
	f := findings(t, srv.URL, nil)["feed plan"]
	require.Equal(t, health.StateDown, f.State)
	require.Contains(t, f.Reason, "Missing application key")
	require.Contains(t, f.Remedy, "API_FOOTBALL_KEY")
}

func TestHealthSaysThatPollsAreStretched(t *testing.T) {
	t.Parallel()
	now := time.Now().UTC()
	quota := feed.Quota{DayLimit: 100, DayRemaining: 12, MinuteLimit: 10, MinuteRemaining: 9, At: now}
	f := findings(t, vendor(t, 100, 1), func(s store.Store) {
		require.NoError(t, s.PutState(t.Context(), monitor.QuotaKey, quota))
		require.NoError(t, s.PutState(t.Context(), monitor.PaceKey, monitor.Pace{Pace: lifecycle.Pace{Staging: 8, Live: 4, StagingEvery: 2 * time.Hour, LiveEvery: 2 * time.Minute}, Since: now}))
	})["feed"]
	require.Equal(t, health.StateDegraded, f.State)
	require.Equal(t, "stretched: The plan's calls would not last until midnight UTC: waiting matches are asked every 2h, live ones every 2m.", f.Reason)
	f = findings(t, vendor(t, 100, 1), func(s store.Store) {
		require.NoError(t, s.PutState(t.Context(), monitor.OutageKey, monitor.Outage{Since: now, Why: "HTTP 503"}))
	})["feed"]
	require.Equal(t, health.StateDown, f.State)
	require.Equal(t, "the feed gives no answer to trust: HTTP 503", f.Reason)
	free := calls.Plan{Name: "Free", Kinds: map[calls.Kind]calls.Ability{calls.IDs: {At: now}, calls.Live: {Allowed: true, At: now}}}
	at := func(live int) check.Finding {
		return findings(t, vendor(t, 100, 1), func(s store.Store) {
			require.NoError(t, s.PutState(t.Context(), monitor.PlanKey, free))
			require.NoError(t, s.PutState(t.Context(), monitor.QuotaKey, quota))
			require.NoError(t, s.PutState(t.Context(), monitor.PaceKey, monitor.Pace{Pace: lifecycle.Pace{Staging: 8, Live: live, StagingEvery: 2 * time.Hour,
				LiveEvery: time.Duration(live) * 30 * time.Second}, Since: now}))
		})["feed"]
	}
	f = at(7)
	require.Equal(t, health.StateOK, f.State, "as every day, and nobody is alarmed")
	require.Contains(t, f.Reason, "A free key: each live match is looked at every 3 min 30 s;")
	require.Equal(t, "Free", f.Facts["plan"])
	require.Contains(t, f.Facts["polls_by"], "all live matches in one call")
	require.Equal(t, health.StateDegraded, at(20).State, "the plan is too small")
	refused := monitor.Outage{Since: now, Code: footy.CodeNotInPlan, Why: "plan: your subscription has ended"}
	f = findings(t, vendor(t, 100, 1), func(s store.Store) { require.NoError(t, s.PutState(t.Context(), monitor.OutageKey, refused)) })["feed"]
	require.Equal(t, health.StateDown, f.State)
	require.Contains(t, f.Reason, "the plan of this key allows no poll")
	quota.DayRemaining = 0
	f = findings(t, vendor(t, 100, 1), func(s store.Store) { require.NoError(t, s.PutState(t.Context(), monitor.QuotaKey, quota)) })["feed"]
	require.Equal(t, health.StateDegraded, f.State)
	require.Contains(t, f.Reason, "used up")
}
