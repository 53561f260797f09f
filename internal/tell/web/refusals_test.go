package web_test

import (
	"context"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/tell/web"
)

func TestAnActIsRefusedUnlessAllOfItIsUnderstood(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	gone, seen := "", ""
	s.Update(5001, func(f *footy.Fixture) {
		e := f.Event("5001-1")
		seen = e.Clips[0].ID
		c := clip(e, "gone", 9, false)
		gone = c.ID
		e.Clip(gone).Hidden, e.Clip(gone).Swept = true, true
	})
	for body, want := range map[string]struct {
		action string
		status int
		says   string
	}{
		`{"clip":"zzz"}`:                 {"hide", 400, `field \"clip\" is not known`},
		`{"clip_id":7}`:                  {"hide", 400, `field \"clip_id\" is a JSON number; it must be a string`},
		`[]`:                             {"hide", 400, "JSON array; it must be an object"},
		`{"reason":"a"} {"clip_id":"b"}`: {"hide", 400, "one object"},
		strings.Repeat(" ", 17<<10):      {"hide", 413, "too large"},
		`{}`:                             {"pin", 400, "unpin"},
		`{"clip_id":"` + gone + `"}`:     {"restore", 409, "cannot come back"},
		`{"reason":"back"}`:              {"restore", 409, "none of its clips is hidden"},
		`{"clip_id":"` + seen + `"}`:     {"restore", 409, "is not hidden"},
		`{"reason":"x","clip_id":"` + gone + `"}`: {"pin", 409, "cannot come back"},
	} {
		res := s.Do(http.MethodPost, "/api/v1/events/5001-1/actions/"+want.action, []byte(body), "Authorization", "Bearer "+adminToken)
		require.Equal(t, want.status, res.StatusCode, want.says)
		said := text(t, res)
		require.Contains(t, said, want.says)
		require.NotContains(t, said, "struct")
	}
	require.Empty(t, s.Commands.Done)
}

func TestWithoutAnEngineNoSearchBegins(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(o *web.Options) { o.NoEngine = true })
	s.DemoDay([]byte("mp4"), []byte("jpg"))
	res := s.Do(http.MethodPost, "/api/v1/events/5001-1/actions/search-again", nil, "Authorization", "Bearer "+adminToken)
	require.Equal(t, http.StatusServiceUnavailable, res.StatusCode)
	require.Contains(t, text(t, res), "set TEMPORAL_ADDRESS")
	require.Empty(t, s.Commands.Done)
}

func (s *testServer) getAs(host, path string) *http.Response {
	s.T.Helper()
	req, err := http.NewRequest(http.MethodGet, s.HTTP.URL+path, nil)
	require.NoError(s.T, err)
	req.Host = host
	res, err := s.HTTP.Client().Do(req)
	require.NoError(s.T, err)
	s.T.Cleanup(func() { _ = res.Body.Close() })
	return res
}

func TestOnLoopbackOnlyNamesOfThisMachineAreServed(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(o *web.Options) { o.Addr = "127.0.0.1:8080" })
	s.DemoDay([]byte("mp4"), []byte("jpg"))
	for _, host := range []string{"localhost", "LOCALHOST:99", "footy.localhost:8080", "127.0.0.1", "127.9.9.9:1", "[::1]:8080", "[::1]"} {
		require.Equal(t, http.StatusOK, s.getAs(host, "/").StatusCode, host)
	}
	for _, host := range []string{"evil.com", "evil.com:8080", "localhost.evil.com", "127.0.0.1.evil.com", "192.168.1.5"} {
		for _, path := range []string{"/", "/api/v1/fixtures"} {
			res := s.getAs(host, path)
			require.Equal(t, http.StatusMisdirectedRequest, res.StatusCode, host)
			require.Contains(t, text(t, res), "PUBLIC_URL", host)
		}
		require.Equal(t, http.StatusOK, s.getAs(host, "/healthz").StatusCode)
	}
}

func TestElsewhereToo(t *testing.T) {
	t.Parallel()
	own, err := os.Hostname()
	require.NoError(t, err)
	everywhere := func(o *web.Options) { o.Addr, o.Hosts = "0.0.0.0:8080", []string{"Footy.lan"} }
	public := func(o *web.Options) { o.Addr, o.BaseURL = "127.0.0.1:8080", "https://goals.example" }
	for name, tc := range map[string]struct {
		change          func(*web.Options)
		served, refused []string
		address         string
	}{
		"any address": {everywhere, []string{"footy.lan", "FOOTY.LAN.:8080", own, own + ".local:1", "192.168.1.5:8080", "[fe80::1]", "127.0.0.1"}, []string{"evil.com", "x.footy.lan", "192.168.1.5.evil.com"}, "http://footy.lan/"},
		"no host":     {func(o *web.Options) { everywhere(o); o.Addr = ":8080" }, []string{"footy.lan"}, []string{"evil.com:8080"}, "http://footy.lan/"},
		"PUBLIC_URL":  {public, []string{"goals.example", "goals.example:443", "localhost"}, []string{"footy.lan", "192.168.1.5"}, "https://goals.example/"},
	} {
		s := newTestServer(t, tc.change)
		s.DemoDay([]byte("mp4"), []byte("jpg"))
		for _, host := range tc.served {
			require.Equal(t, http.StatusOK, s.getAs(host, "/").StatusCode, "%s: %s", name, host)
		}
		for _, host := range tc.refused {
			res := s.getAs(host, "/")
			require.Equal(t, http.StatusMisdirectedRequest, res.StatusCode, "%s: %s", name, host)
			require.Contains(t, text(t, res), "WEB_HOSTS", name)
		}
		require.Contains(t, text(t, s.getAs(tc.served[0], "/g/"+salah)), `rel="canonical" href="`+tc.address, name)
	}
}

func TestParametersOfTheAPIAreChecked(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	for query, names := range map[string]string{
		"videos?verified=maybe": "verified", "videos?verified=": "verified", "fixtures?tz=Mars/X": "tz", "dates?tz=Local": "tz", "fixtures?date=": "date",
		"search?q=salah&date=2026-13-01": "date", "coverage?days=0": "days", "videos?limit=many": "limit", "fixtures?team=x": "team",
	} {
		res := s.Get("/api/v1/" + query)
		require.Equal(t, http.StatusBadRequest, res.StatusCode, query)
		require.Contains(t, decode(t, res)["error"].(map[string]any)["message"], names+" must be ", query)
	}
	require.Equal(t, http.StatusOK, s.Get("/?tz=Mars/X").StatusCode, "a page for people falls back")
	require.Equal(t, http.StatusOK, s.Get("/api/v1/videos?verified=false&tz=Europe/Berlin").StatusCode)
}

func TestRefusalsOfTheAPIAreJSON(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	for status, res := range map[int]*http.Response{
		http.StatusForbidden:      s.Do(http.MethodPost, "/api/v1/events/5001-1/actions/hide", nil, "Sec-Fetch-Site", "cross-site"),
		http.StatusNotImplemented: s.Get("/oembed?format=xml&url=x"),
	} {
		require.Equal(t, status, res.StatusCode)
		require.NotEmpty(t, decode(t, res)["error"].(map[string]any)["message"])
	}
	require.Equal(t, http.StatusNotFound, s.Get("/feed/league/999.xml").StatusCode)
	require.Equal(t, http.StatusOK, s.Get("/feed/league/39.xml").StatusCode)
}

type feedPart health.Part

func (p feedPart) Health(context.Context) health.Report {
	p.Name = health.Feed
	return health.Report{Parts: []health.Part{health.Part(p)}}
}

func TestAnEmptyDaySaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	unlisted := newTestServer(t, func(o *web.Options) {
		o.Health = feedPart{State: health.StateDown, Reason: "today's list of matches is not there: HTTP 500", Remedy: "It is asked for again."}
	})
	require.Contains(t, text(t, unlisted.Get("/")), "The match feed is down.")
	require.NotContains(t, text(t, unlisted.Get("/day/2026-01-01")), "is down", "another day has another reason")
	s := newTestServer(t, func(o *web.Options) {
		o.Health = feedPart{State: health.StateMissing, Reason: "API_FOOTBALL_KEY is not set", Remedy: "Set API_FOOTBALL_KEY."}
	})
	require.Contains(t, text(t, s.Get("/")), "The match feed is not set up.")
	f := match(5001, team(1, "A"), team(2, "B"), noon, "1H", 10, 1, 0)
	goal(&f, footy.SideHome, "X", 5, 1, 0)
	s.Add(f)
	health := text(t, s.Get("/health"))
	require.Contains(t, health, "No clips yet.")
	require.NotContains(t, health, "No goals yet.")
}
