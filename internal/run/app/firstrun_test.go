package app_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/world"
	"github.com/found-footy/found-footy/tools/devtest"
	"github.com/stretchr/testify/require"
)

// firstPage is the page of a process that starts in an empty directory.
type firstPage struct {
	t     *testing.T
	url   string
	again chan struct{}
	stop  func()
}

func startFirst(t *testing.T, set map[string]string) *firstPage {
	t.Helper()
	return startFirstAt(t, devtest.FreeAddr(t), set)
}

func startFirstAt(t *testing.T, addr string, set map[string]string) *firstPage {
	t.Helper()
	for name, value := range set {
		t.Setenv(name, value)
	}
	c, err := config.Load()
	require.NoError(t, err)
	c.Web.Addr = addr
	a, err := app.New(t.Context(), c, slog.New(slog.DiscardHandler), "test")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	p := &firstPage{t: t, again: make(chan struct{}, 1)}
	ready, ended := make(chan app.Ready, 1), make(chan error, 1)
	go func() {
		ended <- a.Run(ctx, app.Roles{Web: true, Again: func() { p.again <- struct{}{} }, Ready: func(at app.Ready) { ready <- at }})
	}()
	p.stop = sync.OnceFunc(func() {
		stop()
		<-ended
		_ = a.Close()
	})
	t.Cleanup(p.stop)
	p.url = (<-ready).Page
	return p
}

// visit returns where a path leads to in the end, and what is there.
func (p *firstPage) visit(path string) (at string, status int, text string) {
	p.t.Helper()
	res, err := http.Get(p.url + path)
	return p.read(res, err)
}

func (p *firstPage) enter(step string, values ...string) string {
	p.t.Helper()
	form := url.Values{}
	for i := 0; i < len(values); i += 2 {
		form.Set(values[i], values[i+1])
	}
	res, err := http.PostForm(p.url+"/setup/"+step, form)
	_, status, text := p.read(res, err)
	require.Equal(p.t, http.StatusOK, status, text)
	return text
}

func (p *firstPage) read(res *http.Response, err error) (string, int, string) {
	p.t.Helper()
	require.NoError(p.t, err)
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	require.NoError(p.t, err)
	return res.Request.URL.Path, res.StatusCode, string(b)
}

func TestAFirstRunAsksForWhatIsMissingTriesItAndWritesIt(t *testing.T) {
	w, err := world.New(world.Options{ClipDir: t.TempDir()})
	require.NoError(t, err)
	require.NoError(t, w.Start(t.Context()))
	t.Cleanup(func() { _ = w.Close() })
	t.Chdir(t.TempDir())
	outside := map[string]string{"STATE_DIR": t.TempDir(), "API_FOOTBALL_URL": w.URL() + "/football", "X_URL": w.URL() + "/x",
		"REDDIT_URL": w.URL() + "/reddit", "REDDIT_API_URL": w.URL() + "/reddit/api", "ALLOW_PRIVATE_HOSTS": "true"}
	p := startFirst(t, outside)
	at, _, _ := p.visit("/")
	require.Equal(t, "/setup", at, "the first page asks")

	text := p.enter("try/matches", "API_FOOTBALL_KEY", "a key of mine", "TRACK_LEAGUES", "39,nonsense league")
	require.Contains(t, text, "nonsense league")
	text = p.enter("try/matches", "API_FOOTBALL_KEY", "a key of mine", "TRACK_LEAGUES", "39")
	require.Contains(t, text, "Match feed: works.")
	require.Contains(t, text, "calls used today", "what the plan allows")
	require.NotContains(t, text, "a key of mine", "a secret is not shown again")
	text = p.enter("try/matches", "TRACK_LEAGUES", "39")
	require.Contains(t, text, "Match feed: works.", "a secret that is left empty stays")

	require.Contains(t, p.enter("try/model", "LLAMA_URL", "nowhere"), "LLAMA_URL")
	require.Contains(t, p.enter("try/model", "LLAMA_URL", "http://127.0.0.1:1/v1"), "Vision model: down.")
	text = p.enter("try/model", "LLAMA_URL", w.URL()+"/llm")
	require.Contains(t, text, "read its clock", "it is shown a picture")

	require.Contains(t, p.enter("try/x", "cookies", "no cookies at all"), "Cookies: down.")
	require.Contains(t, p.enter("try/reddit", "REDDIT_CLIENT_ID", world.RedditApp, "REDDIT_CLIENT_SECRET", world.RedditSecret), "works")

	require.NoFileExists(t, config.File, "nothing is written before it is said")
	require.Contains(t, p.enter("finish"), "restarts with it")
	select {
	case <-p.again:
	case <-time.After(time.Minute):
		t.Fatal("it does not start anew")
	}
	info, err := os.Stat(config.File)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "it holds secrets")
	c, err := config.Load()
	require.NoError(t, err)
	require.Equal(t, "a key of mine", c.Feed.Key)
	require.Equal(t, []string{"39"}, c.Track.Leagues)
	require.Equal(t, w.URL()+"/llm", c.Model.URL)

	next := startFirst(t, outside)
	at, status, _ := next.visit("/")
	require.Equal(t, "/", at, "today's page")
	require.Equal(t, http.StatusOK, status)
	_, status, _ = next.visit("/setup")
	require.Equal(t, http.StatusNotFound, status, "nobody can change what is set")
}

func TestTheSetUpPageIsThereOnlyWhereNothingIsSetAndNobodyElseCanSeeIt(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, set := range map[string]map[string]string{
		"a model is set": {"LLAMA_URL": "http://127.0.0.1:1/v1"},
		"a proxy":        {"WEB_PROXIES": "127.0.0.1"},
		"a public name":  {"PUBLIC_URL": "https://footy.example"},
	} {
		t.Run(name, func(t *testing.T) {
			set["STATE_DIR"] = filepath.Join(t.TempDir(), "state")
			_, status, _ := startFirst(t, set).visit("/setup")
			require.Equal(t, http.StatusNotFound, status)
		})
	}
	t.Run("who looks around first is not asked again", func(t *testing.T) {
		p := startFirst(t, map[string]string{"STATE_DIR": filepath.Join(t.TempDir(), "state")})
		require.Contains(t, p.enter("later"), "<main")
		at, _, _ := p.visit("/")
		require.Equal(t, "/", at)
		_, status, _ := p.visit("/setup")
		require.Equal(t, http.StatusOK, status)
	})
}
