package check_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/world/day"
	"github.com/found-footy/found-footy/internal/world/script"
	"github.com/found-footy/found-footy/internal/world/serve/football"
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

func findings(t *testing.T, url string, prepare func(store.Store)) map[string]health.Part {
	t.Helper()
	c, err := config.Load()
	require.NoError(t, err)
	c.Feed = config.Feed{Key: "0123456789abcdef0123456789abcdef", URL: url}
	c.State = config.State{Dir: t.TempDir()}
	c.Web.Addr = "127.0.0.1:0"
	if prepare != nil {
		db, err := sqlite.Open(filepath.Join(c.State.Dir, "footy.db"))
		require.NoError(t, err)
		s := store.New(db)
		prepare(s)
		require.NoError(t, s.Close())
	}
	out := map[string]health.Part{}
	for _, f := range app.Doctor(t.Context(), c, "test") {
		out[f.Name] = f
	}
	return out
}

func TestDoctorTellsWhatThePlanHasLeft(t *testing.T) {
	t.Parallel()
	f := findings(t, vendor(t, 7500, 8), nil)["feed plan"]
	require.Equal(t, health.StateOK, f.State, f.Reason)
	require.Equal(t, "plan Free: 3 of 7500 calls used today; today 8 matches (asked now)", f.Reason)
	require.Empty(t, f.Remedy)
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
	require.Regexp(t, `^plan Free: 3 of 100 calls used today; today 8 matches \(asked now\); the plan cannot be polled every 30 s: `+
		`with the calls left, live matches are polled every .*, and goals come later$`, f.Reason)
	require.Contains(t, f.Remedy, "ESPN's scoreboard without a key is faster")
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

// TestNobodySaysThatTheFeedWorksBeforeItWasAsked: a start with a refused key must not be green until its first poll.
func TestNobodySaysThatTheFeedWorksBeforeItWasAsked(t *testing.T) {
	t.Parallel()
	c := parsed(t, map[string]string{"API_FOOTBALL_KEY": "refused", "API_FOOTBALL_URL": "http://127.0.0.1:1"})
	a := opened(t, c)
	look := func() health.Part {
		for _, p := range check.New(check.Options{Config: c, Store: a.Store, Blob: a.Blob, Feed: a.Feed, Follows: a.Follows, Source: a.Source}).Look(t.Context()).Parts {
			if p.Name == health.Feed {
				return p
			}
		}
		return health.Part{}
	}
	require.Equal(t, "not asked yet", look().Word())
	require.Equal(t, "It was not asked for anything yet.", look().Sentence())
	require.NoError(t, a.Store.PutState(t.Context(), monitor.QuotaKey, feed.Quota{DayLimit: 100, DayRemaining: 90, At: time.Now()}))
	require.Equal(t, "works", look().Word())
	for _, f := range app.Doctor(t.Context(), c, "test") {
		if f.Name == health.Feed {
			require.Equal(t, health.StateDown, f.State, "doctor asks")
		}
	}
}

func TestHealthSaysThatPollsAreStretched(t *testing.T) {
	t.Parallel()
	now := time.Now().UTC()
	quota := feed.Quota{DayLimit: 100, DayRemaining: 12, MinuteLimit: 10, MinuteRemaining: 9, At: now}
	f := findings(t, vendor(t, 100, 1), func(s store.Store) {
		require.NoError(t, s.PutState(t.Context(), monitor.QuotaKey, quota))
		require.NoError(t, s.PutState(t.Context(), monitor.PaceKey, monitor.Pace{Every: 2 * time.Minute, Since: now}))
	})["feed"]
	require.Equal(t, health.StateDegraded, f.State)
	require.Equal(t, "the plan cannot be polled every 30 s: with the calls left, live matches are polled every 2 min, and goals come later", f.Reason)
	f = findings(t, vendor(t, 100, 1), func(s store.Store) {
		require.NoError(t, s.PutState(t.Context(), monitor.OutageKey, monitor.Outage{Since: now, Why: "HTTP 503"}))
	})["feed"]
	require.Equal(t, health.StateDown, f.State)
	require.Equal(t, "the feed gives no answer to trust: HTTP 503", f.Reason)
	f = findings(t, vendor(t, 100, 1), func(s store.Store) {
		free := quota
		free.Single = true
		require.NoError(t, s.PutState(t.Context(), monitor.QuotaKey, free))
		require.NoError(t, s.PutState(t.Context(), monitor.PaceKey, monitor.Pace{Every: 7 * time.Minute, Since: now}))
	})["feed"]
	require.Equal(t, health.StateOK, f.State, "as every day: no alarm")
	require.Contains(t, f.Reason, "polled every 7 min")
	require.Contains(t, f.Remedy, "ESPN")
	refused := monitor.Outage{Since: now, Code: footy.CodeNotInPlan, Why: "plan: your subscription has ended"}
	f = findings(t, vendor(t, 100, 1), func(s store.Store) { require.NoError(t, s.PutState(t.Context(), monitor.OutageKey, refused)) })["feed"]
	require.Equal(t, health.StateDown, f.State)
	require.Contains(t, f.Reason, "the plan of this key allows no poll")
	quota.DayRemaining = 0
	spent, _ := worldly(t, 100)
	f = findings(t, spent, func(s store.Store) { require.NoError(t, s.PutState(t.Context(), monitor.QuotaKey, quota)) })["feed"]
	require.Equal(t, health.StateDegraded, f.State)
	require.Contains(t, f.Reason, "used up")
}

// worldly is the simulated vendor, with a free key that made so many calls today.
func worldly(t *testing.T, used int) (url string, asked *[]string) {
	t.Helper()
	s := script.Short()
	require.NoError(t, s.With(script.FreePlan))
	d := day.StartedAt(time.Now(), 1)
	for range used {
		d.Call(time.Now().UTC().Format(time.DateOnly))
	}
	h := football.New(s, d)
	asked = &[]string{}
	var one sync.Mutex
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		one.Lock()
		defer one.Unlock()
		*asked = append(*asked, r.URL.RequestURI())
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	return srv.URL, asked
}

// TestDoctorSaysThatTheDaysCallsAreSpent and does not blame the key for it.
func TestDoctorSaysThatTheDaysCallsAreSpent(t *testing.T) {
	t.Parallel()
	url, asked := worldly(t, 100)
	found := findings(t, url, nil)
	f := found["feed plan"]
	require.Equal(t, health.StateDegraded, f.State)
	require.Equal(t, "plan Free: 100 of 100 calls used today: the day's calls are used up", f.Reason)
	require.Contains(t, f.Remedy, "They come back at 00:00 UTC, in ")
	require.NotContains(t, f.Remedy, "API_FOOTBALL_KEY")
	require.Equal(t, []string{"/status"}, *asked, "nothing is asked that would only be refused")
	require.Equal(t, health.StateDegraded, found["feed"].State)
	require.Contains(t, found["feed"].Reason, "the day's calls are used up")
	require.NotContains(t, f.Reason+found["feed"].Reason, "dashboard.api-football.com")

	url, _ = worldly(t, 98) // the last ones go while doctor asks
	f = findings(t, url, nil)["feed plan"]
	require.Contains(t, f.Reason, "the day's calls are used up")
	require.Contains(t, f.Remedy, "They come back at 00:00 UTC")
}

// TestDoctorTellsAWrongKeyFromASpentDay: both come as an answer of 200 to the very first question.
func TestDoctorTellsAWrongKeyFromASpentDay(t *testing.T) {
	t.Parallel()
	for errs, want := range map[string]struct {
		state  health.State
		remedy string
	}{
		`{"token":"Error/Missing application key."}`:                     {health.StateDown, "Check API_FOOTBALL_KEY, and your account at api-football.com. No match is followed meanwhile."},
		`{"requests":"You have reached the request limit for the day."}`: {health.StateDegraded, "They come back at 00:00 UTC, in "},
	} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = fmt.Fprintf(w, `{"get":"status","parameters":[],"errors":%s,"results":0,"response":[]}`, errs)
		}))
		t.Cleanup(srv.Close)
		found := findings(t, srv.URL, nil)
		f := found["feed plan"]
		require.Equal(t, want.state, f.State, errs)
		require.Equal(t, want.state, found["feed"].State, "%s: %+v", errs, found["feed"])
		require.Contains(t, f.Remedy, want.remedy)
		require.Equal(t, want.state == health.StateDown, strings.Contains(f.Remedy, "API_FOOTBALL_KEY"), f.Remedy)
	}
}

// TestDoctorDoubtsWhatTheFeedDoesNotKnow: an id that nobody has must not be followed in silence.
func TestDoctorDoubtsWhatTheFeedDoesNotKnow(t *testing.T) {
	url, _ := worldly(t, 0)
	t.Setenv("FEED", config.APIFootball)
	t.Setenv("TRACK_LEAGUES", "39,88888")
	t.Setenv("TRACK_TEAMS", "42,99999")
	f := findings(t, url, nil)["followed"]
	require.Equal(t, health.StateDegraded, f.State)
	require.Equal(t, "TRACK_LEAGUES=88888: no league 88888 is known to the feed; TRACK_TEAMS=99999: no team 99999 is known to the feed", f.Reason)
	require.Contains(t, f.Remedy, "Arsenal (England, 42)")
	t.Setenv("TRACK_TEAMS", "Arsenall")
	found := findings(t, url, nil)
	require.Equal(t, health.StateDown, found["followed"].State)
	require.Contains(t, found["followed"].Reason, `TRACK_TEAMS="Arsenall" is the name of no team; near it are England/Arsenal (42)`)
	require.NotContains(t, found["followed"].Reason, "ead settings")
	require.Contains(t, found["feed plan"].Reason, "today's matches are unknown until it is known what is followed")
	require.NotContains(t, found["feed plan"].Remedy, "Try again")
}

// TestDoctorSaysOfANameThatESPNDoesNotKnowHowItIsMended: another try of the same name finds no more.
func TestDoctorSaysOfANameThatESPNDoesNotKnowHowItIsMended(t *testing.T) {
	t.Parallel()
	board := football.Scoreboard{Server: football.New(script.Short(), day.StartedAt(time.Now(), 1))}
	srv := httptest.NewServer(http.StripPrefix("/espn", board))
	t.Cleanup(srv.Close)
	c := parsed(t, map[string]string{"FEED": config.ESPN, "ESPN_URL": srv.URL + "/espn", "TRACK_LEAGUES": "none", "TRACK_TEAMS": "Arsenall"})
	found := map[string]health.Part{}
	for _, f := range app.Doctor(t.Context(), c, "test") {
		found[f.Name] = f
	}
	require.Contains(t, found["followed"].Reason, "Arsenall")
	require.Equal(t, "Correct the leagues and teams as advised above.", found["feed plan"].Remedy)
	require.Equal(t, health.StateDegraded, found["feed plan"].State)

	c = parsed(t, map[string]string{"FEED": config.ESPN, "ESPN_URL": srv.URL + "/espn", "TRACK_LEAGUES": "none", "TRACK_TEAMS": "Barcelona"})
	require.Equal(t, `TRACK_TEAMS="Barcelona" is the name of no team that plays this month or next in a competition known to ESPN's feed: `+
		`is it spelt right? If it is, write its id, the number in the address of its page at espn.com`, examined(t, c, "followed").Reason, "a club between two seasons")
}

func TestDoctorSaysInOneSentenceThatESPNDoesNotAnswer(t *testing.T) {
	t.Parallel()
	c := parsed(t, map[string]string{"FEED": config.ESPN, "ESPN_URL": "http://127.0.0.1:1", "TRACK_LEAGUES": "39"})
	p := examined(t, c, "feed plan")
	require.Equal(t, health.StateDown, p.State)
	require.Equal(t, "ESPN does not answer: nothing listens at that address", p.Reason)
	require.Contains(t, p.Remedy, "Correct ESPN_URL")
}
