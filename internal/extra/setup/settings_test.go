package setup_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/tell/teller"
	"github.com/found-footy/found-footy/internal/world"
	"github.com/found-footy/found-footy/tools/devtest"
)

// browser is a person's, with cookies.
type browser struct {
	t  *testing.T
	at string
	http.Client
}

func (b *browser) ask(method, path string, header map[string]string, values ...string) (status int, text string) {
	b.t.Helper()
	form := url.Values{}
	for i := 0; i < len(values); i += 2 {
		form.Set(values[i], values[i+1])
	}
	req, err := http.NewRequest(method, b.at+path, strings.NewReader(form.Encode()))
	require.NoError(b.t, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for name, value := range header {
		req.Header.Set(name, value)
	}
	res, err := b.Do(req)
	require.NoError(b.t, err)
	defer res.Body.Close()
	all, err := io.ReadAll(res.Body)
	require.NoError(b.t, err)
	return res.StatusCode, string(all)
}

func first(t *testing.T, pattern, text string) string {
	t.Helper()
	found := regexp.MustCompile(pattern).FindStringSubmatch(text)
	require.NotNil(t, found, text)
	return found[1]
}

// TestSettingsStayForWhoHasTheAdminToken: after the first start there were none; the token is made by it and shown once.
func TestSettingsStayForWhoHasTheAdminToken(t *testing.T) {
	w, outside := firstWorld(t)
	p := startFirst(t, outside)
	started := p.enter("finish")
	token := first(t, `<code id="token">([a-z2-7]{20,})</code>`, started)
	require.Contains(t, started, "Operator")
	p.awaitAgain()
	c, err := config.Load()
	require.NoError(t, err)
	require.Equal(t, token, c.Web.AdminToken)
	_, status, _ := p.visit("/setup")
	require.Equal(t, http.StatusServiceUnavailable, status, "until the new process answers")
	p.stop()

	next := startFirst(t, outside)
	b := &browser{t, next.proxied(), http.Client{Jar: jarOf(t)}}
	status, _ = b.ask(http.MethodPost, "/setup/try/model", nil, "LLAMA_URL", w.URL()+"/llm")
	require.Equal(t, http.StatusUnauthorized, status)
	_, text := b.ask(http.MethodPost, "/admin/login", nil, "token", token, "back", "/admin")
	require.Contains(t, text, `href="/setup"`, "Settings are in the operator's menu")
	_, text = b.ask(http.MethodGet, "/setup", nil)
	require.Contains(t, text, ">Server settings</h1>")
	require.Equal(t, 6, strings.Count(text, " checked>"), "what is in force is filled in")
	require.NotContains(t, text, token)
	require.NotContains(t, text, "Not in force yet")
	csrf := first(t, `name="csrf" value="([^"]+)"`, text)
	for _, path := range []string{"choose", "try/model", "finish", "later"} {
		status, _ = b.ask(http.MethodPost, "/setup/"+path, nil, "LLAMA_URL", w.URL()+"/llm")
		require.Equal(t, http.StatusUnauthorized, status, "%s without the form's token", path)
	}
	_, text = b.ask(http.MethodPost, "/setup/finish", nil, "csrf", csrf)
	require.Contains(t, text, "nothing was changed")
	_, text = b.ask(http.MethodPost, "/setup/try/model", nil, "csrf", csrf, "LLAMA_URL", w.URL()+"/llm")
	require.Contains(t, text, "reads 4 of four pictures right")
	require.Contains(t, text, "Not in force yet: Address of the server.")
	_, text = b.ask(http.MethodPost, "/setup/later", nil, "csrf", csrf)
	require.NotContains(t, text, w.URL()+"/llm", "it is forgotten")
	b.ask(http.MethodPost, "/setup/try/model", nil, "csrf", csrf, "LLAMA_URL", w.URL()+"/llm")
	b.ask(http.MethodPost, "/setup/choose", nil, "csrf", csrf, "leagues", "1", "league", "England/Premier League")
	_, text = b.ask(http.MethodPost, "/setup/finish", nil, "csrf", csrf)
	require.Contains(t, text, "restarts with it")
	require.NotContains(t, text, token, "it is shown once")
	next.awaitAgain()
	c, err = config.Load()
	require.NoError(t, err)
	require.Equal(t, w.URL()+"/llm", c.Model.URL)
	require.True(t, c.Media.ByModel(), "clips are no longer proven by the clock alone")
	require.Equal(t, []string{"England/Premier League"}, c.Track.Leagues)
	require.Equal(t, token, c.Web.AdminToken)
	file, err := os.ReadFile(config.File)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(file), "TRACK_LEAGUES="), string(file))
}

// settled is a machine of a person who has set things by hand, without an admin token.
func settled(t *testing.T, text string) (w *world.World, outside map[string]string) {
	t.Helper()
	w, outside = firstWorld(t)
	require.NoError(t, os.WriteFile(config.File, []byte(text), 0o600))
	return w, outside
}

func TestOfSecretsThePageSaysThatTheyAreSet(t *testing.T) {
	const own = "https://www.reddit.com/r/soccer/new/.rss?feed=averysecrettoken&user=me"
	_, outside := settled(t, "# by hand\nTRACK_TEAMS=England/Liverpool\nREDDIT_FEED="+own+"\nX_BEARER_TOKEN=anothersecret\nLOG_LEVEL=warn\nTRACK_LEAGUES=39,eng.2,Brazil/Serie B\n")
	p := startFirst(t, outside)
	at, _, text := p.visit("/setup")
	require.Equal(t, "/setup", at, "without a token the owner of this machine is the operator")
	require.NotRegexp(t, "averysecrettoken|anothersecret", text)
	require.Equal(t, 2, strings.Count(text, "set; leave it empty to keep it"))
	require.Equal(t, 3, strings.Count(text, " checked>"), "leagues as they were named by hand")
	require.Contains(t, text, `name="drop" value="England/Liverpool"`)
	require.Contains(t, p.enter("choose", "leagues", "1", "league", "39"), "Not in force yet: Leagues.")
	require.Contains(t, p.enter("try/x", "leave", "1"), "Not in force yet: Leagues, Token of the paid service.")
	text = p.enter("finish")
	require.Contains(t, text, "restarts with it")
	require.NotContains(t, text, `id="token"`, "that is for a first start")
	file, err := os.ReadFile(config.File)
	require.NoError(t, err)
	require.NotContains(t, string(file), "anothersecret", "what is left out does not stay in the file")
	require.Contains(t, string(file), "# by hand\nTRACK_TEAMS=England/Liverpool\nREDDIT_FEED="+own+"\nLOG_LEVEL=warn\n")
	c, err := config.Load()
	require.NoError(t, err)
	require.Empty(t, c.Search.BearerToken)
	require.Equal(t, []string{"39"}, c.Track.Leagues)
}

func TestWhatTheEnvironmentSetsIsShownAndNotWritten(t *testing.T) {
	w, outside := settled(t, "TRACK_LEAGUES=39\n")
	outside["LLAMA_URL"], outside["TRACK_TEAMS"] = w.URL()+"/llm", "England/Arsenal"
	p := startFirst(t, outside)
	_, _, text := p.visit("/setup")
	require.Contains(t, text, "set by the environment: LLAMA_URL")
	require.Contains(t, text, "The environment sets the clubs: TRACK_TEAMS.")
	require.Contains(t, p.enter("try/model", "LLAMA_URL", "http://127.0.0.1:1/v1"), "reads 4 of four pictures right", "the one in force is tried")
	require.Contains(t, p.enter("choose", "drop", "England/Arsenal"), `name="drop" value="England/Arsenal"`)
	require.Contains(t, p.enter("finish"), "nothing was changed")
	file, err := os.ReadFile(config.File)
	require.NoError(t, err)
	require.Equal(t, "TRACK_LEAGUES=39\n", string(file))
}

func TestAPageOfAnotherSiteChangesNoSettings(t *testing.T) {
	_, outside := settled(t, "TRACK_LEAGUES=39\n")
	p := startFirst(t, outside)
	b := &browser{t: t, at: p.url}
	for name, header := range map[string]map[string]string{
		"another site":                    {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"},
		"another site, in an old browser": {"Origin": "https://evil.example"},
		"another port of this machine":    {"Sec-Fetch-Site": "same-site", "Origin": "http://127.0.0.1:1"},
		"a document without an origin":    {"Origin": "null"},
	} {
		for _, path := range []string{"choose", "try/model", "finish", "later"} {
			status, _ := b.ask(http.MethodPost, "/setup/"+path, header, "leagues", "1", "league", "Spain/La Liga")
			require.GreaterOrEqual(t, status, 400, "%s: %s", name, path)
		}
	}
	elsewhere := &browser{t: t, at: p.proxied()}
	_, text := elsewhere.ask(http.MethodGet, "/setup", nil)
	require.Contains(t, text, "only the machine that footy runs on")
	status, _ := elsewhere.ask(http.MethodPost, "/setup/choose", nil, "leagues", "1")
	require.Equal(t, http.StatusUnauthorized, status)
	_, _, text = p.visit("/setup")
	require.NotContains(t, text, "Not in force yet")
}

// TestAChangeThatDoesNotStartIsTakenBack: it goes on with the settings before, and the page says why.
func TestAChangeThatDoesNotStartIsTakenBack(t *testing.T) {
	_, outside := settled(t, "TRACK_LEAGUES=39\n")
	for name, value := range outside {
		t.Setenv(name, value)
	}
	p := &firstPage{t: t, url: "http://" + devtest.FreeAddr(t)}
	ctx, stop := context.WithCancel(t.Context())
	ended, runs := make(chan error, 1), 0
	go func() {
		ended <- app.Up(ctx, extras, func(ctx context.Context, r app.Roles, _ string) error {
			if runs++; runs == 2 {
				return footy.Errorf(footy.CodeUnavailable, "start", "the feed refuses that")
			}
			c, err := config.Load()
			if err != nil {
				return err
			}
			c.Web.Addr, r.Worker = strings.TrimPrefix(p.url, "http://"), false
			a, err := app.New(ctx, c, slog.New(slog.DiscardHandler), "test")
			if err != nil {
				return err
			}
			defer a.Close()
			return a.Run(ctx, r)
		})
	}()
	defer func() {
		stop()
		<-ended
	}()
	shows := func(what string) {
		t.Helper()
		var text []byte
		for end := time.Now().Add(time.Minute); !strings.Contains(string(text), what); <-time.After(20 * time.Millisecond) {
			require.True(t, time.Now().Before(end), "%s: %s", what, text)
			res, err := http.Get(p.url + "/setup")
			if err == nil {
				text, _ = io.ReadAll(res.Body)
				_ = res.Body.Close()
			}
		}
	}
	shows("Server settings")
	p.enter("choose", "leagues", "1", "league", "Spain/La Liga")
	require.Contains(t, p.enter("finish"), "restarts with it")
	shows("Not saved. The start:</b> start: the feed refuses that")
	shows("Not in force yet: Leagues.")
	require.Equal(t, 3, runs)
	file, err := os.ReadFile(config.File)
	require.NoError(t, err)
	require.Equal(t, "TRACK_LEAGUES=39\n", string(file))
}

// letters is what an extra for news lets people set.
type letters struct {
	To string `env:"NOTIFICATIONS" secret:"true" doc:"Who gets letters." like:"me"`
}

// TestNotificationsAreTestedWhereTheyAreEntered sends a message to the address that was typed, by the extra alone that has the setting.
func TestNotificationsAreTestedWhereTheyAreEntered(t *testing.T) {
	var got []string
	tellers := func(c port.Core) ([]teller.Teller, error) {
		to := config.Own[letters](c.Config).To
		if to == "nonsense" {
			return nil, footy.Errorf(footy.CodeInvalid, "read settings", "NOTIFICATIONS: there is no such address")
		}
		return []teller.Teller{{Name: "letters", SendNew: func(context.Context) error { return nil }, Test: func(context.Context) (string, error) {
			got = append(got, to)
			return "a test message was sent", nil
		}}}, nil
	}
	posts := func(port.Core) ([]teller.Teller, error) {
		return []teller.Teller{{Name: "posts", SendNew: func(context.Context) error { return nil }, Test: func(context.Context) (string, error) {
			got = append(got, "a post")
			return "", nil
		}}}, nil
	}
	group := config.Group{Title: "Letters", New: func() any { return &letters{} }}
	_, outside := settled(t, "TRACK_LEAGUES=39\n")
	_, _, text := startFirst(t, outside).visit("/setup")
	require.NotContains(t, text, "Notifications", "there is no extra for them")
	p := startFirst(t, outside, port.Extra{Name: "alert", Settings: &group, Tellers: tellers},
		port.Extra{Name: "posting", Settings: &config.Group{New: func() any { return &struct{}{} }}, Tellers: posts})
	require.Contains(t, p.enter("try/news", "NOTIFICATIONS", "nonsense"), "there is no such address")
	require.Contains(t, p.enter("finish"), "does not work yet")
	text = p.enter("try/news", "NOTIFICATIONS", "a friend")
	require.Contains(t, text, "a test message was sent")
	require.Contains(t, text, "Not in force yet: Addresses to tell.")
	require.Equal(t, []string{"a friend"}, got)
	require.Contains(t, p.enter("finish"), "restarts with it")
	c, err := config.Load(group)
	require.NoError(t, err)
	require.Equal(t, "a friend", config.Own[letters](c).To)
}
