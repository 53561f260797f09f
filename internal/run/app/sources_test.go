package app_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/xapi/bill"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/canary"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/state"
	"github.com/found-footy/found-footy/internal/run/xaccount"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/stretchr/testify/require"
)

// outside is a search service and a paid API as the settings would name them.
type outside struct {
	service, api     *httptest.Server
	state            atomic.Value // of the service's searches
	status           atomic.Value // body of its status
	searches, bought atomic.Int64
}

func away(t *testing.T) *outside {
	t.Helper()
	o := &outside{}
	o.state.Store("empty")
	o.status.Store(`{"login":"ok","account":"fan","budget":{"limit":40,"used":3,"remaining":37},"busy":false}`)
	o.service = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/status" {
			_, _ = fmt.Fprint(w, o.status.Load())
			return
		}
		o.searches.Add(1)
		_, _ = fmt.Fprintf(w, `{"state":%q,"videos":[],"calls_used":1}`, o.state.Load())
	}))
	o.api = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o.bought.Add(1)
		if r.Header.Get("Authorization") != "Bearer sesame" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = fmt.Fprint(w, `{"meta":{"result_count":0}}`)
	}))
	t.Cleanup(o.service.Close)
	t.Cleanup(o.api.Close)
	return o
}

func parsed(t *testing.T, set map[string]string) config.Config {
	t.Helper()
	vars := map[string]string{"STATE_DIR": t.TempDir(), "CHROMIUM": self(t), "SOURCES": "xweb,xapi", "FEED": "api-football"} // nothing here asks Reddit or ESPN itself
	for k, v := range set {
		vars[k] = v
	}
	c, err := config.Parse(vars)
	require.NoError(t, err)
	return c
}

// self stands for a Chromium that is installed: nothing here starts it.
func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	require.NoError(t, err)
	return path
}

func opened(t *testing.T, c config.Config) *app.App {
	t.Helper()
	a, err := app.New(t.Context(), c, slog.New(slog.DiscardHandler), "test")
	require.NoError(t, err)
	t.Cleanup(func() { _ = a.Close() })
	return a
}

func found(t *testing.T, a *app.App) source.State {
	t.Helper()
	r, err := a.Source.Search(t.Context(), source.Query{Text: "saka", Max: 5})
	require.NoError(t, err)
	return r.State
}

func TestSourcesAreAskedInTheirOrder(t *testing.T) {
	t.Parallel()
	t.Run("without anything, goals wait for a person", func(t *testing.T) {
		t.Parallel()
		a := opened(t, parsed(t, nil))
		require.Equal(t, source.StateLoginRequired, found(t, a))
		require.Equal(t, "none", a.Source.Name())
	})
	t.Run("the token alone searches by API", func(t *testing.T) {
		t.Parallel()
		o := away(t)
		a := opened(t, parsed(t, map[string]string{"X_BEARER_TOKEN": "sesame", "X_API_URL": o.api.URL}))
		require.Equal(t, source.StateEmpty, found(t, a))
		require.EqualValues(t, 1, o.bought.Load())
	})
	t.Run("the service comes first, the API where it fails, and then the service rests", func(t *testing.T) {
		t.Parallel()
		o := away(t)
		a := opened(t, parsed(t, map[string]string{"X_BEARER_TOKEN": "sesame", "X_API_URL": o.api.URL, "TWITTER_SERVICE_URL": o.service.URL}))
		require.Equal(t, source.StateEmpty, found(t, a))
		require.Zero(t, o.bought.Load(), "what is free comes first")
		o.state.Store("timeout")
		for range 5 {
			require.Equal(t, source.StateEmpty, found(t, a))
		}
		require.EqualValues(t, 5, o.bought.Load())
		require.EqualValues(t, 4, o.searches.Load(), "after three failures in a row it is left alone")
	})
	t.Run("the order can be turned", func(t *testing.T) {
		t.Parallel()
		o := away(t)
		a := opened(t, parsed(t, map[string]string{"SOURCES": "xapi,xweb", "X_BEARER_TOKEN": "sesame", "X_API_URL": o.api.URL, "TWITTER_SERVICE_URL": o.service.URL}))
		require.Equal(t, source.StateEmpty, found(t, a))
		require.Zero(t, o.searches.Load())
		require.Equal(t, "xapi,xweb", a.Source.Name())
	})
	t.Run("the day's money is shared by all searches and survives a restart", func(t *testing.T) {
		t.Parallel()
		o := away(t)
		c := parsed(t, map[string]string{"X_BEARER_TOKEN": "sesame", "X_API_URL": o.api.URL, "X_DAILY_CAP": "0.25"})
		first, second := opened(t, c), opened(t, c)
		require.Equal(t, source.StateEmpty, found(t, first))
		purse := bill.Purse{Ledger: state.Spending{Store: second.Store}, Cap: bill.Dollars(0.25), Now: time.Now}
		_, stop, err := purse.Begin(t.Context(), bill.PostRead)
		require.NoError(t, err)
		require.Nil(t, stop)
		require.Equal(t, footy.SearchDayCap, found(t, first))
		require.Equal(t, footy.SearchDayCap, found(t, opened(t, c)))
		require.EqualValues(t, 1, o.bought.Load())
	})
}

// exported is what an extension of a person's browser writes.
func exported(t *testing.T, until time.Time) []byte {
	t.Helper()
	raw, err := json.Marshal([]map[string]any{
		{"name": "auth_token", "value": "s", "domain": ".x.com", "path": "/", "httpOnly": true, "expirationDate": until.Unix()},
		{"name": "ct0", "value": "p", "domain": ".x.com", "path": "/", "expirationDate": until.Unix()},
	})
	require.NoError(t, err)
	return raw
}

func TestAnAccountThatIsBroughtIsUsedWithoutARestart(t *testing.T) {
	t.Parallel()
	o := away(t)
	c := parsed(t, map[string]string{"BROWSER_ADDR": strings.TrimPrefix(o.service.URL, "http://")})
	a := opened(t, c)
	require.Equal(t, source.StateLoginRequired, found(t, a))
	require.Zero(t, o.searches.Load())

	free := c // nobody serves there, so the export goes to the profile
	free.Browser.Addr = "127.0.0.1:1"
	x := xaccount.Account{Config: free, Log: slog.New(slog.DiscardHandler)}
	require.NoError(t, x.ImportCookies(t.Context(), exported(t, time.Now().AddDate(1, 0, 0))))
	seen := app.LookAtX(t.Context(), free)
	require.Equal(t, health.StateOK, seen.State)
	require.Contains(t, seen.Facts["login_until"], strconv.Itoa(time.Now().Year()+1))

	require.Equal(t, source.StateEmpty, found(t, a))
	require.EqualValues(t, 1, o.searches.Load())
}

func TestDoctorTellsHowSearchingStands(t *testing.T) {
	t.Parallel()
	look := func(t *testing.T, set map[string]string) health.Part {
		t.Helper()
		for _, f := range app.Doctor(t.Context(), parsed(t, set), "test") {
			if f.Name == "search" {
				return f
			}
		}
		t.Fatal("doctor says nothing of the search")
		return health.Part{}
	}
	t.Run("nothing is set up", func(t *testing.T) {
		t.Parallel()
		f := look(t, nil)
		require.Equal(t, health.StateMissing, f.State)
		require.Contains(t, f.Remedy, "footy x import-cookies FILE")
	})
	t.Run("a session waits for footy up", func(t *testing.T) {
		t.Parallel()
		set := map[string]string{"BROWSER_DIR": t.TempDir(), "BROWSER_ADDR": "127.0.0.1:1"}
		x := xaccount.Account{Config: parsed(t, set), Log: slog.New(slog.DiscardHandler)}
		require.NoError(t, x.ImportCookies(t.Context(), exported(t, time.Now().AddDate(1, 0, 0))))
		f := look(t, set)
		require.Equal(t, health.StateOK, f.State)
		require.Contains(t, f.Reason, "footy up searches with it")
		require.NotContains(t, app.Missing(parsed(t, set)).Error(), "X_BEARER_TOKEN")

		set["CHROMIUM"] = "/no/such/browser"
		f = look(t, set)
		require.Equal(t, health.StateDown, f.State)
		require.Contains(t, f.Reason, "Chromium is not installed")
		require.Contains(t, app.Missing(parsed(t, set)).Error(), `CHROMIUM="/no/such/browser" is not installed, so the session of X is of no use`)
	})
	t.Run("the token alone", func(t *testing.T) {
		t.Parallel()
		f := look(t, map[string]string{"X_BEARER_TOKEN": "sesame"})
		require.Equal(t, health.StateOK, f.State)
		require.Equal(t, "not asked yet", f.Word())
		require.Equal(t, "X_BEARER_TOKEN is set, and the paid API was not asked today", f.Reason)
	})
	t.Run("the login has expired", func(t *testing.T) {
		t.Parallel()
		o := away(t)
		o.status.Store(`{"login":"expired","detail":"X no longer accepts the session"}`)
		f := look(t, map[string]string{"TWITTER_SERVICE_URL": o.service.URL})
		require.Equal(t, health.StateDown, f.State)
		require.Contains(t, f.Reason, "X wants a login: X no longer accepts the session")
		require.Contains(t, f.Remedy, "docs/x-login.md")
		f = look(t, map[string]string{"TWITTER_SERVICE_URL": o.service.URL, "X_BEARER_TOKEN": "sesame"})
		require.Equal(t, health.StateDegraded, f.State, "the paid API goes on")
	})
	t.Run("X has changed", func(t *testing.T) {
		t.Parallel()
		o := away(t)
		o.status.Store(`{"login":"ok"}`)
		dir := t.TempDir()
		back, err := sqlite.Open(filepath.Join(dir, "footy.db"))
		require.NoError(t, err)
		docs := store.New(back)
		require.NoError(t, docs.PutState(t.Context(), canary.StateKey, source.Canary{Drift: true, Detail: "3 of 3 posts have no author", Sample: "canary/1.json"}))
		require.NoError(t, docs.Close())
		f := look(t, map[string]string{"TWITTER_SERVICE_URL": o.service.URL, "STATE_DIR": dir})
		require.Equal(t, health.StateDegraded, f.State, "searches go on")
		require.Contains(t, f.Reason, "X has changed: 3 of 3 posts have no author")
		require.Contains(t, f.Remedy, "canary/1.json")
	})
	t.Run("nobody serves", func(t *testing.T) {
		t.Parallel()
		f := look(t, map[string]string{"TWITTER_SERVICE_URL": "http://127.0.0.1:1"})
		require.Equal(t, health.StateDown, f.State)
		require.Contains(t, f.Remedy, "TWITTER_SERVICE_URL")
	})
	t.Run("all is well", func(t *testing.T) {
		t.Parallel()
		o := away(t)
		o.status.Store(`{"login":"ok","account":"fan"}`)
		f := look(t, map[string]string{"TWITTER_SERVICE_URL": o.service.URL})
		require.Equal(t, health.StateOK, f.State)
		require.Equal(t, "fan", f.Facts["account"])
		require.Equal(t, health.StateOK, look(t, map[string]string{"TWITTER_SERVICE_URL": away(t).service.URL}).State)
	})
}

func TestTheLookAtX(t *testing.T) {
	t.Parallel()
	t.Run("nobody has logged in", func(t *testing.T) {
		t.Parallel()
		p := app.LookAtX(t.Context(), parsed(t, map[string]string{"BROWSER_ADDR": "127.0.0.1:1"}))
		require.Equal(t, health.StateMissing, p.State)
		require.Contains(t, p.Reason, "nobody has logged in")
		require.Contains(t, p.Remedy, "footy x import-cookies")
	})
	t.Run("an export that has expired is refused", func(t *testing.T) {
		t.Parallel()
		x := xaccount.Account{Config: parsed(t, map[string]string{"BROWSER_ADDR": "127.0.0.1:1"}), Log: slog.New(slog.DiscardHandler)}
		require.ErrorContains(t, x.ImportCookies(t.Context(), exported(t, time.Now().Add(-time.Hour))), "the session has expired")
	})
	t.Run("a running service tells", func(t *testing.T) {
		t.Parallel()
		c := parsed(t, map[string]string{"TWITTER_SERVICE_URL": away(t).service.URL})
		p := app.LookAtX(t.Context(), c)
		require.NoFileExists(t, state.DatabaseFile(c), "who only looks leaves nothing")
		require.Equal(t, health.StateOK, p.State)
		require.Equal(t, "ok", p.Facts["login"])
		require.Equal(t, "fan", p.Facts["account"])
		require.Equal(t, 37, p.Facts["budget_left"])
		require.Equal(t, 40, p.Facts["budget"])
	})
	t.Run("a service elsewhere that does not answer", func(t *testing.T) {
		t.Parallel()
		c := parsed(t, map[string]string{"TWITTER_SERVICE_URL": "http://127.0.0.1:1"})
		require.Equal(t, health.StateDown, app.LookAtX(t.Context(), c).State)
		x := xaccount.Account{Config: c, Log: slog.New(slog.DiscardHandler)}
		require.Error(t, x.ImportCookies(t.Context(), exported(t, time.Now().AddDate(1, 0, 0))))
	})
}

func TestTheSearchServiceRefusesBeforeItStarts(t *testing.T) {
	t.Parallel()
	o := away(t)
	addr := strings.TrimPrefix(o.service.URL, "http://")
	log := slog.New(slog.DiscardHandler)
	err := app.RunBrowser(t.Context(), parsed(t, map[string]string{"CHROMIUM": "/no/such/browser"}), log, "test", nil)
	require.ErrorContains(t, err, "CHROMIUM=/no/such/browser is not installed; install it (make chromium")
	err = app.RunBrowser(t.Context(), parsed(t, map[string]string{"BROWSER_ADDR": addr}), log, "test", nil)
	require.ErrorContains(t, err, "one runs already at BROWSER_ADDR="+addr)
	stranger := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(stranger.Close)
	addr = strings.TrimPrefix(stranger.URL, "http://")
	err = app.RunBrowser(t.Context(), parsed(t, map[string]string{"BROWSER_ADDR": addr}), log, "test", nil)
	require.ErrorContains(t, err, "BROWSER_ADDR="+addr+" is in use by another program")
}
