package app_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"testing"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/tell/publish"
	"github.com/found-footy/found-footy/internal/tell/teller"
	"github.com/stretchr/testify/require"
)

// serve runs the page on a state directory until stop is called.
func serve(t *testing.T, vars map[string]string, extras ...port.Extra) (a *app.App, url string, stop func()) {
	t.Helper()
	vars["SOURCES"], vars["FEED"] = "xweb,xapi", "api-football" // nothing here asks Reddit or ESPN itself
	cfg, err := config.Parse(vars)
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

// telling is an extra with one teller, which hands over what it is asked; nil: its settings are wrong.
func telling(asked chan string) port.Extra {
	return port.Extra{Name: "telling", Tellers: func(c port.Core) ([]teller.Teller, error) {
		if asked == nil {
			return nil, footy.Errorf(footy.CodeInvalid, "read settings", "NOTIFICATIONS is wrong")
		}
		choose := c.Chosen("ANY", "nothing", []string{"39"}, nil, nil)
		return []teller.Teller{{Name: "somewhere", SendNew: func(ctx context.Context) error {
			f, err := choose(ctx)
			asked <- fmt.Sprint("new of ", f.Leagues)
			return err
		}, Test: func(context.Context) (string, error) { return "a test message was sent", nil }}}, nil
	}}
}

func TestATellerLooksAtTheStartAndWhenThePageHasNews(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 50)
	a, _, _ := serve(t, map[string]string{"STATE_DIR": t.TempDir(), "WEB_ADDR": "127.0.0.1:0"}, telling(asked))
	require.Equal(t, "new of [39]", <-asked)
	wake(t, a)
	require.Equal(t, "new of [39]", <-asked)
}

// wake says, as a worker of another process does, that something changed.
func wake(t *testing.T, a *app.App) {
	t.Helper()
	other := publish.NewShared(a.Store, slog.New(slog.DiscardHandler), nil)
	other.Publish(t.Context(), "all")
	require.NoError(t, other.Flush(t.Context()))
}

var csrf = regexp.MustCompile(`name="csrf" value="([^"]+)"`)

func TestTheTestButtonTriesATeller(t *testing.T) {
	t.Parallel()
	const token = "sixteen letters or more"
	_, at, _ := serve(t, map[string]string{"STATE_DIR": t.TempDir(), "WEB_ADDR": "127.0.0.1:0", "ADMIN_TOKEN": token}, telling(make(chan string, 50)))
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	browser := &http.Client{Jar: jar}
	res, err := browser.PostForm(at+"/admin/login", url.Values{"token": {token}, "back": {"/admin"}})
	require.NoError(t, err)
	page := readAll(t, res)
	require.Contains(t, page, "somewhere")
	res, err = http.Get(at + "/admin")
	require.NoError(t, err)
	require.NotContains(t, readAll(t, res), "/admin/notify-test", "the button is the operator's")
	field := csrf.FindStringSubmatch(page)
	require.NotNil(t, field)
	res, err = browser.PostForm(at+"/admin/notify-test", url.Values{"csrf": {field[1]}})
	require.NoError(t, err)
	require.Contains(t, readAll(t, res), "It works: a test message was sent.")
}

func TestATellerThatCannotBeMadeStopsTheStart(t *testing.T) {
	t.Parallel()
	cfg, err := config.Parse(map[string]string{"STATE_DIR": t.TempDir(), "SOURCES": "xweb,xapi", "FEED": "api-football", "WEB_ADDR": "127.0.0.1:0"})
	require.NoError(t, err)
	a, err := app.New(t.Context(), cfg, slog.New(slog.DiscardHandler), "test", telling(nil))
	require.NoError(t, err)
	defer a.Close()
	require.ErrorContains(t, a.Run(t.Context(), app.Roles{Web: true}), "NOTIFICATIONS is wrong")
	_, err = app.TestNotifications(config.Config{})
	require.ErrorContains(t, err, "nothing is set up")
}
