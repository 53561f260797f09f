package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/tell/publish"
)

// hook receives notifications.
func hook(t *testing.T) (address string, told chan string) {
	t.Helper()
	told = make(chan string, 50)
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var body struct{ Message string }
		if json.NewDecoder(r.Body).Decode(&body) == nil {
			told <- body.Message
		}
	}))
	t.Cleanup(srv.Close)
	return "generic+" + srv.URL + "/in?template=json", told
}

func parse(vars map[string]string) (config.Config, error) { return config.Parse(vars, groups()...) }

// serve runs the page on a state directory until stop is called.
func serve(t *testing.T, vars map[string]string) (a *app.App, url string, stop func()) {
	t.Helper()
	vars["SOURCES"], vars["FEED"] = "xweb,xapi", "api-football" // nothing here asks Reddit or ESPN itself
	cfg, err := parse(vars)
	require.NoError(t, err)
	a, err = app.New(t.Context(), cfg, slog.New(slog.DiscardHandler), "test", extras...)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ready, ended := make(chan string, 1), make(chan error, 1)
	go func() { ended <- a.Run(ctx, app.Roles{Web: true, Ready: func(r app.Ready) { ready <- r.Page }}) }()
	select {
	case url = <-ready:
	case err := <-ended:
		require.NoError(t, err)
	}
	stopped := false
	stop = func() {
		if !stopped {
			stopped = true
			cancel()
			<-ended
			_ = a.Close()
		}
	}
	t.Cleanup(stop)
	return a, url, stop
}

func TestGoalsAreToldOutsideOfThePageAndARestartRepeatsNothing(t *testing.T) {
	t.Parallel()
	address, told := hook(t)
	vars := map[string]string{"STATE_DIR": t.TempDir(), "WEB_ADDR": "127.0.0.1:0", "NOTIFICATIONS": address, "PUBLIC_URL": "https://goals.example",
		"NOTIFICATION_LEAGUES": "39"}
	a, _, stop := serve(t, vars)
	now := time.Now()
	match := func(id, league int64) footy.Fixture {
		return footy.Fixture{ID: id, Stage: footy.StageActive, League: footy.League{ID: league}, Match: footy.Match{ID: id, Kickoff: now.Add(-time.Hour)},
			Teams: footy.Teams{Home: footy.Team{ID: 1, Name: "Northgate"}, Away: footy.Team{ID: 2, Name: "Seaford"}},
			Events: []footy.Event{{UID: fmt.Sprintf("%d-1", id), ID: "x", Kind: footy.KindGoal, Player: footy.Person{Name: "Ruiz"}, Minute: footy.Minute{Elapsed: 12},
				ScoreAfter: footy.ScoreOf(1, 0), CertainAt: now}}}
	}
	require.NoError(t, a.Store.Add(t.Context(), match(1, 39)))
	require.NoError(t, a.Store.Add(t.Context(), match(2, 40)))
	wake(t, a)
	require.Equal(t, "⚽ Ruiz 12': Northgate 1–0 Seaford", <-told)
	stop()

	a, _, stop = serve(t, vars)
	_, err := a.Store.Update(t.Context(), 1, func(f *footy.Fixture) ([]footy.Entry, error) {
		f.Events[0].Clips = []footy.Clip{{ID: "c"}}
		return nil, nil
	})
	require.NoError(t, err)
	wake(t, a)
	require.Equal(t, "🎬 Ruiz 12': Northgate 1–0 Seaford\nhttps://goals.example/g/x", <-told)
	stop()
	require.Empty(t, told)
}

// wake says, as a worker of another process does, that something changed.
func wake(t *testing.T, a *app.App) {
	t.Helper()
	other := publish.NewShared(a.Store, slog.New(slog.DiscardHandler), nil)
	other.Publish(t.Context(), "all")
	require.NoError(t, other.Flush(t.Context()))
}

func TestAWrongAddressStopsTheStartWithoutItsSecret(t *testing.T) {
	t.Parallel()
	cfg, err := parse(map[string]string{"STATE_DIR": t.TempDir(), "SOURCES": "xweb,xapi", "FEED": "api-football", "WEB_ADDR": "127.0.0.1:0", "NOTIFICATIONS": "discord://verysecrettoken"})
	require.NoError(t, err)
	a, err := app.New(t.Context(), cfg, slog.New(slog.DiscardHandler), "test", extras...)
	require.NoError(t, err)
	defer a.Close()
	err = a.Run(t.Context(), app.Roles{Web: true})
	require.ErrorContains(t, err, "NOTIFICATIONS: the first address discord://(hidden) is not complete: write it like discord://TOKEN@WEBHOOK_ID")
	require.NotContains(t, err.Error(), "verysecret")
}
